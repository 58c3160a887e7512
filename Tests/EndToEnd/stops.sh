# Has `pace` end commands that do not want to end. A part of pace.sh, which reads it.

# sleeping <seconds>: the number of processes that sleep so long.
sleeping() { ps -eo args | grep -c "^sleep $1\$"; }

# slept <number> <seconds>: so many do.
slept() { test "$(sleeping "$2")" -eq "$1"; }

mkdir -p stops
watch stops --restart --debounce 50ms -- \
  sh -c 'echo x >>runs; (trap "" TERM; exec sleep 301) & wait'
for round in 2 3; do
  touch stops/a
  awaited "--restart runs the command again, though a child of it is deaf to SIGTERM" runs $round
  awaited "after the child was killed" slept 1 301
done
kill -TERM "$watcher"
wait "$watcher"
same "SIGTERM ends the child of the last run as well" "143 0" "$? $(sleeping 301)"

for option in '' --restart; do
  : >runs
  {
    "$pace" watch stops --now $option -- sh -c 'echo x >>runs; exec sleep 302' 2>err
    echo $? >result
  } | sleep 1
  same "a closed output ends watch${option:+ $option} and its command" "141 0 x" \
    "$(cat result) $(sleeping 302) $(cat runs)"
done

watch stops --restart -- sh -c 'trap "" TERM; echo x >>runs; sleep 303 & wait; wait'
kill -TERM "$watcher"
sleep 0.3
start=$(milliseconds)
kill -TERM "$watcher"
wait "$watcher"
same "a second SIGTERM ends watch --restart" 143 $?
between "at once" 0 3000 $(($(milliseconds) - start))
awaited "and its command" slept 0 303
exec 3</dev/null
same "retry is 0 if its command handles the signal and succeeds" "told${nl}[0]" \
  "$(signalled TERM 0.4 retry -- sh -c 'trap "echo told; exit 0" TERM; sleep 5 >/dev/null & wait')"
exec 3<&-

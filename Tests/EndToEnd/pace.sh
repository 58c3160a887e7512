#!/usr/bin/env bash
# Runs the built `pace` as a shell would, on real pipes, signals and processes.
#
# usage: Tests/EndToEnd/pace.sh <path of pace>
#
# Prints "ok …" or "FAILED …" for each check, and "N passed, N failed" at the end. Times have exact
# lower bounds, since nothing may be early, and generous upper ones, since machines are busy.
set -u
pace=$(realpath "${1:?usage: $0 <path of pace>}")
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0
nl=$'\n'
command -v timeout >/dev/null || timeout() { shift && "$@"; }

# same <name> <expected> <actual>
same() {
  if [[ "$2" == "$3" ]]; then
    passed=$((passed + 1))
    echo "ok $1"
  else
    failed=$((failed + 1))
    printf 'FAILED %s\n  expected: %q\n  actual:   %q\n' "$1" "$2" "$3"
  fi
}

# between <name> <least> <most> <actual>
between() {
  if (($4 >= $2 && $4 <= $3)); then same "$1" in in; else same "$1" "$2 to $3" "$4"; fi
}

# holds <name> <condition …>
holds() {
  local name=$1
  shift
  if "$@"; then same "$name" yes yes; else same "$name" yes "no: $*"; fi
}

milliseconds() { perl -MTime::HiRes=time -e 'printf "%d\n", time * 1000'; }

# status <expected> <name> <words of pace …>: the exit status, with an empty input; what it wrote is
# in $work/out and $work/err.
status() {
  local expected=$1 name=$2
  shift 2
  "$pace" "$@" </dev/null >out 2>err
  same "$name" "$expected" "$?"
}

# usage <words of pace …>: bad words give 64, one line on standard error, and nothing else.
usage() {
  local words
  printf -v words ' %q' "$@"
  status 64 "64 for: pace$words" "$@"
  same "one line for: pace$words" "1 0" "$(wc -l <err) $(wc -c <out)"
}

# awaited <name> <condition …>: the condition comes true within ten seconds.
awaited() {
  local name=$1 try
  shift
  for ((try = 0; try < 500; try++)); do
    "$@" && break
    sleep 0.02
  done
  holds "$name" "$@"
}

# signalled <signal> <delay> <words of pace …>: runs pace on the descriptor 3, sends it the signal
# after the delay, and prints what it wrote and its status: 137 where it does not end in ten seconds.
# A script's shell has its background commands ignore SIGINT, which the terminal's does not.
signalled() {
  local signal=$1 delay=$2
  shift 2
  perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$pace" "$@" <&3 >signalled.out 2>signalled.err &
  local process=$!
  sleep "$delay"
  kill "-$signal" "$process"
  (sleep 10 && kill -9 "$process") >/dev/null 2>&1 3<&- &
  local guard=$!
  wait "$process"
  local result=$?
  kill "$guard" 2>/dev/null
  cat signalled.out
  echo "[$result]"
}

# --- words -----------------------------------------------------------------------------------

status 64 "no command is 64"
status 0 "--help is 0" --help
holds "--help lists the commands" grep -q '  debounce  ' out
status 0 "--version is 0" --version
for command in debounce throttle limit every retry watch tour completions man; do
  status 0 "$command --help is 0" $command --help
  holds "$command --help says how to use it" grep -q "^usage: pace $command" out
  cp out help
  status 0 "help $command is 0" help $command
  holds "help $command prints the same" cmp -s out help
done
status 0 "man is 0" man
holds "man prints a manual page" grep -q '^[.]TH PACE 1' out
[[ -z $(command -v groff) ]] || same "troff reads it" "" "$(groff -man -ww -z out 2>&1)"
status 64 "a rate that is not one is quoted as it was typed" limit 5/x
same "in its message" 'pace limit: "5/x" is not a rate: "x" is not a unit of time; use ms, s, min, h or d; see pace limit --help' "$(cat err)"
usage frobnicate
usage --frobnicate
usage ''
usage debounce
for duration in '' 0s -5ms '10 parsecs' 5 1e400s 99999999999999999h 1.5ns 106752d $'1\n2s'; do
  usage debounce "$duration"
  usage every "$duration" -- true
done
usage debounce 1s --max 0s
usage debounce 1s --max
usage debounce 1s --leading
usage debounce 1s --edges middle
usage debounce 1s 2s
usage throttle 0s
usage throttle 1s --edges middle
usage throttle 1s --leading
usage help frobnicate
usage help --frobnicate
usage help limit now
for rate in 100 5/x 2,5/s 0/s -1/s 100/0s 100/parsec 1e9/s 99999999999999999999/s /s 5/; do
  usage limit "$rate"
done
usage limit 1/s --redis nowhere
usage limit 1/s --burst 0
usage limit 1/s --burst 99999999999999999999
usage every 1s
usage every 1s --
usage every 1s -x true
usage every 1s --count 0 -- true
usage every 1s --count -1 -- true
usage every 1s --missed never -- true
usage retry
usage retry -5 true
usage retry --attempts 0 -- true
usage retry --backoff 10s..1s -- true
usage retry --backoff 0s -- true
usage retry --jitter some -- true
usage retry --deadline 0s -- true
usage watch
usage watch .
usage watch . true
usage watch -- true
usage watch . --debounce 0s -- true
usage watch . --ignore -- true
usage tour now
usage completions
usage completions csh
usage tour --svg
usage tour --svg ""

# --- lines -----------------------------------------------------------------------------------

same "debounce writes the last line" c "$(printf 'a\nb\nc\n' | "$pace" debounce 100ms)"
same "debounce --edges both writes the first as well" "a${nl}c" \
  "$(printf 'a\nb\nc\n' | "$pace" debounce 100ms --edges both)"
same "debounce --edges both writes a lone line once" a \
  "$(printf 'a\n' | "$pace" debounce 100ms --edges both)"
same "debounce --edges leading writes the first alone" a \
  "$(printf 'a\nb\nc\n' | "$pace" debounce 100ms --edges leading)"
same "debounce writes each burst's last line" "b${nl}d" \
  "$( (printf 'a\nb\n'; sleep 0.5; printf 'c\nd\n') | "$pace" debounce 150ms)"
(for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do echo x; sleep 0.05; done) |
  "$pace" debounce 300ms --max 300ms >out
holds "debounce --max writes while lines keep coming" test "$(wc -l <out)" -ge 2
start=$(milliseconds)
printf 'a\nb\n' | "$pace" debounce 30s >out
between "debounce writes at once at the end of input" 0 5000 $(($(milliseconds) - start))
same "debounce accepts the longest duration" a "$(echo a | "$pace" debounce 106751d)"

start=$(milliseconds)
same "throttle writes the first and the last line" "1${nl}5" "$(seq 5 | "$pace" throttle 300ms)"
between "throttle keeps its spacing at the end of input" 300 5000 $(($(milliseconds) - start))
same "throttle --edges leading" 1 "$(seq 5 | "$pace" throttle 100ms --edges leading)"
same "throttle --edges trailing" 5 "$(seq 5 | "$pace" throttle 100ms --edges trailing)"

bytes=$'a\\x80\\xff\\r\\n\\x00b\\n\\n\\xc3'
printf "$bytes" >bytes
"$pace" limit 1000/s --burst 100 <bytes >out
holds "limit passes bytes on unchanged" cmp -s bytes out
printf '\xff\x00x\r' >bytes
"$pace" debounce 10ms <bytes >out
holds "debounce passes a last line without newline on unchanged" cmp -s bytes out
head -c 3000000 /dev/zero | tr '\0' x >bytes
for tool in 'debounce 10ms' 'throttle 10ms' 'limit 1/s'; do
  "$pace" $tool <bytes >out
  holds "$tool passes a very long line on" cmp -s bytes out
done
for tool in 'debounce 10ms' 'throttle 10ms' 'limit 1/s'; do
  status 0 "$tool with no input is 0" $tool
  same "$tool with no input writes nothing" 0 "$(wc -c <out)"
done

start=$(milliseconds)
same "limit loses nothing" "$(seq 6)" "$(seq 6 | "$pace" limit 10/s)"
between "limit goes on at its rate after the end of input" 500 5000 $(($(milliseconds) - start))
for rate in 600/min 2.5/250ms 10/sec; do
  start=$(milliseconds)
  same "limit $rate is ten a second" "$(seq 4)" "$(seq 4 | "$pace" limit $rate)"
  between "and spaces lines so" 300 5000 $(($(milliseconds) - start))
done
TIMEFORMAT='%3U %3S'
for rate in 1000 10000 100000; do
  start=$(milliseconds)
  seq $((rate * 2)) | { time "$pace" limit $rate/s; } 2>cpu |
    { cat >lines; milliseconds >ended; }
  same "limit $rate/s loses nothing" $((rate * 2)) "$(wc -l <lines)"
  between "limit $rate/s keeps its rate" 1999 10000 $(($(<ended) - start))
done
read -r user system <cpu
between "at most 3 us of a processor for each of 100,000 lines a second" 0 600 \
  $((10#${user/./} + 10#${system/./}))
start=$(milliseconds)
same "limit without its server writes the line that it has read, and says so" "1${nl}74 1" \
  "$(seq 3 | "$pace" limit 1/s --redis redis://127.0.0.1:1/lines 2>err; echo "$? $(wc -l <err)")"
same "and leaves the lines that it has not read" "1${nl}2${nl}3" \
  "$(seq 3 | { "$pace" limit 1/s --redis redis://127.0.0.1:1/lines 2>err; cat; })"
same "and loses none that it has" "x${nl}${nl}${nl}y" \
  "$(printf 'x\n\n\ny\n' | { "$pace" limit 500/s --redis redis://127.0.0.1:1/lines 2>err; cat; })"
# A server that accepts no connection: its queue is full, so the system answers none.
perl -MSocket -MFcntl -e '
  socket(my $server, PF_INET, SOCK_STREAM, 0) or die;
  bind($server, pack_sockaddr_in(0, INADDR_LOOPBACK)) or die;
  listen($server, 0) or die;
  my $name = getsockname($server);
  my @clients = map {
    socket(my $client, PF_INET, SOCK_STREAM, 0) or die;
    fcntl($client, F_SETFL, O_NONBLOCK) or die;
    connect($client, $name);
    $client
  } 1 .. 8;
  $| = 1;
  printf "%d\n", unpack_sockaddr_in($name);
  sleep 60' >full.port 2>err &
full=$!
awaited "a server without room listens" test -s full.port
url=redis://127.0.0.1:$(<full.port)/lines
start=$(milliseconds)
same "limit waits a second for a server that does not answer" "1${nl}74" \
  "$(seq 3 | timeout 20 "$pace" limit 1/s --redis "$url" 2>err; echo $?)"
between "and no longer" 1000 5000 $(($(milliseconds) - start))
same "a signal ends the wait for it, and writes the line that was read" "1${nl}[143]${nl}2" \
  "$(seq 9 | { exec 3<&0; signalled TERM 0.3 limit 1/h --redis "$url"; head -n 1; })"
kill "$full"
wait "$full" 2>/dev/null
start=$(milliseconds)
same "limit --burst lets a burst through" "$(seq 6)" "$(seq 6 | "$pace" limit 1/h --burst 6)"
between "a burst does not wait" 0 5000 $(($(milliseconds) - start))
same "limit accepts the largest burst" a \
  "$(echo a | timeout 20 "$pace" limit 1/s --burst 9223372036854775807 2>&1)"
same "limit reads no further ahead than it must" "1${nl}2${nl}3${nl}[130]${nl}4" \
  "$(seq 9 | { exec 3<&0; signalled INT 0.5 limit 1/h --burst 2; head -n 1; })"

# --- signals and closed ends -----------------------------------------------------------------

same "SIGINT writes what debounce holds" "b${nl}[130]" \
  "$( (printf 'a\nb\n'; sleep 1) | { exec 3<&0; signalled INT 0.5 debounce 30s; })"
same "SIGTERM writes what throttle keeps" "a${nl}c${nl}[143]" \
  "$( (printf 'a\nb\nc\n'; sleep 1) | { exec 3<&0; signalled TERM 0.5 throttle 30s; })"
same "SIGTERM writes what throttle keeps after the end of input" "a${nl}c${nl}[143]" \
  "$(printf 'a\nb\nc\n' | { exec 3<&0; signalled TERM 0.5 throttle 30s; })"
same "SIGINT writes a line that has no newline yet" "a${nl}bc[130]" \
  "$( (printf 'a\nbc'; sleep 1) | { exec 3<&0; signalled INT 0.5 debounce 30s --edges both; })"
same "SIGINT writes the line that limit has read" "1${nl}2${nl}[130]" \
  "$( (seq 2; sleep 1) | { exec 3<&0; signalled INT 0.5 limit 1/h; })"
for tool in 'debounce 30s' 'throttle 30s' 'limit 1/h' 'every 30s -- true'; do
  exec 3< <(sleep 1)
  same "SIGTERM ends pace $tool with 143" "[143]" "$(signalled TERM 0.3 $tool)"
done
exec 3<&-

# closed <name> <words of pace …>: pace ends with 141 and says nothing when its reader leaves.
closed() {
  local name=$1
  shift
  (yes; true) | { timeout 20 "$pace" "$@" 2>err; echo $? >result; } | head -n 1 >out
  same "$name" "141 0" "$(cat result) $(wc -c <err)"
}
closed "a closed output ends throttle with 141" throttle 100ms
closed "a closed output ends limit with 141" limit 20/s
closed "a closed output ends every with 141" every 100ms -- echo x
closed "a closed output ends a retried command with 141" retry --quiet --backoff 100ms -- sh -c 'echo x; exit 1'
start=$(milliseconds)
(sleep 2) | { timeout 20 "$pace" debounce 30s 2>err; echo $? >result; } | true
same "a closed output is noticed without a line to write" 141 "$(cat result)"
echo a | "$pace" debounce 10ms >&- 2>err
same "an output that was never open is 141" 141 $?
same "and that is said" "pace debounce: standard output is closed" "$(cat err)"
if [[ -e /dev/full ]]; then
  echo a | "$pace" debounce 10ms >/dev/full 2>err
  same "a full output is 74, with one line" "74 1" "$? $(wc -l <err)"
fi
"$pace" limit 1/s <&- >out 2>err
same "an input that is not open is 74, with one line" "74 1" "$? $(wc -l <err)"
"$pace" throttle 1s </ >out 2>err
same "an input that is a folder is 74, with one line" "74 1" "$? $(wc -l <err)"
"$pace" debounce 0s </dev/null >out 2>&-
same "a closed standard error changes no status" 64 $?

# --- commands --------------------------------------------------------------------------------

start=$(milliseconds)
same "every runs the command so many times" "x${nl}x${nl}x" "$("$pace" every 150ms --count 3 -- echo x)"
between "every keeps to its grid" 300 5000 $(($(milliseconds) - start))
same "every needs no dashes" "x -- --help${nl}x -- --help" \
  "$("$pace" every 10ms --count 2 echo x -- --help)"
same "retry needs none either" "--attempts" "$("$pace" retry --attempts 2 echo --attempts)"
status 7 "every ends with the last status" every 10ms --count 2 -- sh -c 'exit 7'
status 137 "every says which signal ended the command" every 10ms --count 1 -- sh -c 'kill -9 $$'
(
  trap '' CHLD
  exec "$pace" retry --attempts 1 -- sh -c 'exit 7' 2>err
)
same "the status is known where SIGCHLD was ignored" 7 $?
for signal in INT TERM HUP; do
  same "a command still ignores SIG$signal where pace's parent did" survived \
    "$(trap '' $signal; "$pace" retry --attempts 1 -- sh -c "kill -$signal \$\$; echo survived" 2>err)"
done
for tool in 'every 1h' retry; do
  start=$(milliseconds)
  status 127 "$tool: a missing command is 127" $tool -- ./no-such-command
  same "$tool: a missing command gives one line" 1 "$(wc -l <err)"
  status 127 "$tool: an empty command is 127" $tool -- ''
  status 126 "$tool: a folder is 126" $tool -- /
  echo data >data
  status 126 "$tool: a file that is no program is 126" $tool -- ./data
  chmod +x data
  status 126 "$tool: a program without a format is 126" $tool -- ./data
  between "$tool: none of these is tried again" 0 5000 $(($(milliseconds) - start))
done
odd=$(printf 'x\xff')
: >"$odd"
status 0 "words reach the command byte for byte" retry --attempts 1 -- test -e "$odd"
for missed in skip burst coalesce delay; do
  rm -f slow
  # One reader takes all moments: a program started for each would be late by its own start.
  "$pace" every 200ms --count 5 --missed $missed -- \
    sh -c 'echo; [ -e slow ] || { : >slow; sleep 0.9; }' |
    perl -MTime::HiRes=time -ne 'printf qq(%d\n), time * 1000' >runs.txt
  # After the slow run, which lasts four periods and a half, one run follows at once, or four.
  at=()
  while read -r moment; do at+=("$moment"); done <runs.txt
  third=$((at[2] - at[1]))
  rest=$((at[4] - at[1]))
  same "every --missed $missed makes all the runs" 5 "${#at[@]}"
  case $missed in
  burst) between "burst catches up" 0 300 $rest ;;
  delay) between "delay restarts the grid" 190 2000 $third ;;
  *) between "$missed goes back to the grid" 1 190 $third ;;
  esac
done
exec 3</dev/null
same "a signal is passed on to a running command" "told${nl}[143]" "$(signalled TERM 0.4 \
  every 30s -- sh -c 'trap "echo told; exit 0" TERM; sleep 5 >/dev/null & wait')"
same "a signal is passed on to a command that is retried, and ends the attempts" \
  "told${nl}[130]" "$(signalled INT 0.4 \
    retry --backoff 10ms -- sh -c 'trap "echo told; exit 3" INT; sleep 5 >/dev/null & wait')"
same "a signal ends a backoff" "[143]" "$(signalled TERM 0.4 retry --backoff 1h --jitter none -- false)"
exec 3<&-

status 0 "retry passes success on" retry -- true
: >tries
status 0 "retry retries until it succeeds" retry --backoff 10ms -- \
  sh -c 'echo x >>tries; [ "$(wc -l <tries)" -eq 3 ]'
same "and no further" 3 "$(wc -l <tries)"
: >tries
status 9 "retry passes the last status on" retry --attempts 4 --backoff 10ms..20ms -- \
  sh -c 'echo x >>tries; exit 9'
same "after as many attempts as it may make" 4 "$(wc -l <tries)"
: >tries
start=$(milliseconds)
status 1 "retry waits no longer than its deadline" retry --deadline 200ms --backoff 30s \
  --jitter none -- sh -c 'echo x >>tries; exit 1'
holds "and says which pause was too long" grep -q "the next pause, 30s, outlasts" err
same "and then makes no further attempt" 1 "$(wc -l <tries)"
between "the last failure is reported at once" 0 5000 $(($(milliseconds) - start))
status 1 "retry says what it waits for" retry --attempts 3 --backoff 10ms..20ms sh -c 'exit 1'
same "on standard error" "pace retry: attempt 1 of 3 ended with status 1; the next one in 10ms
pace retry: attempt 2 of 3 ended with status 1; the next one in 20ms
pace retry: gave up after 3 attempts; status 1" "$(cat err)"
status 1 "retry --quiet does not" retry --quiet --attempts 3 --backoff 10ms false
same "but for the end" 1 "$(wc -l <err)"
start=$(milliseconds)
status 1 "a constant backoff" retry --attempts 3 --backoff 150ms --jitter none -- false
between "is waited for" 300 5000 $(($(milliseconds) - start))
: >tries
"$pace" retry --deadline 1s --backoff 900ms --jitter none -- sh -c 'echo x >>tries; exit 9' 2>err &
process=$!
awaited "the first attempt is made" test -s tries
kill -STOP "$process"
sleep 1.2
kill -CONT "$process"
wait "$process"
same "retry that was stopped past its deadline passes the last status on" 9 $?
same "and makes no attempt" 1 "$(wc -l <tries)"
status 137 "retry says which signal ended the command" retry --attempts 1 -- sh -c 'kill -9 $$'

# --- a terminal ------------------------------------------------------------------------------

# terminal <words of pace …>: what pace writes to a terminal, with ESC as ^[.
terminal() {
  TERM=xterm python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$pace" "$@" </dev/null |
    tr -d '\r' | sed 's/\x1b/^[/g'
}

same "every counts down in a terminal, and erases that" \
  "x${nl}^[7run 1 ended with status 0; run 2 of 2 in 2s^[8^[[Krun 1 ended with status 0; run 2 of 2 in 1s^[8^[[Kx" \
  "$(terminal every 1900ms --count 2 echo x)"
same "unless it is to be quiet" "x${nl}x" "$(terminal every 1s --count 2 --quiet echo x)"
status 0 "without a terminal" every 1s --count 2 echo x
same "there is no countdown" "0 4" "$(wc -c <err) $(wc -c <out)"
same "retry counts down below what it says" \
  "pace retry: attempt 1 of 2 ended with status 1; the next one in 1.5s${nl}^[7attempt 2 in 2s^[8^[[Kattempt 2 in 1s^[8^[[Kpace retry: gave up after 2 attempts; status 1" \
  "$(terminal retry --attempts 2 --backoff 1500ms false)"

# --- completions -----------------------------------------------------------------------------

# completed <words …>: what bash offers for the last of them.
completed() {
  bash -c 'source <("$1" completions bash); shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _pace; echo "${COMPREPLY[*]}"' - "$pace" "$@"
}

same "bash completes commands" "limit" "$(completed pace li)"
same "options" "--edges --max" "$(completed pace debounce 1s -- | sed 's/ --help//')"
same "and names" "leading trailing both" "$(completed pace throttle 1s --edges '')"
same "help takes commands" "retry" "$(completed pace help re)"
for shell in bash zsh fish; do
  status 0 "completions $shell is 0" completions $shell
  [[ -z $(command -v $shell) ]] || holds "$shell accepts them" $shell -n out
done

# --- a server -------------------------------------------------------------------------------

source "$here/http.sh"

# --- files -----------------------------------------------------------------------------------

# runs <n>: the watched command has run so many times, or more.
runs() { test "$(wc -l <runs)" -ge "$1"; }

# watch <words of pace watch …>: starts it with --now, and waits for the first run: it watches then.
watch() {
  : >runs
  "$pace" watch --now "$@" 2>err &
  watcher=$!
  awaited "it watches: $1" runs 1
}

# unwatch: ends it.
unwatch() {
  kill -INT "$watcher"
  wait "$watcher"
  same "SIGINT ends watch with 130, and no word" "130 0" "$? $(wc -c <err)"
}

# count: a command that notes each of its runs.
count=(sh -c 'echo x >>runs')

mkdir -p tree/deep
echo 1 >tree/file
watch tree --debounce 50ms -- "${count[@]}"
echo 2 >tree/file
awaited "a change in a directory runs the command" runs 2
echo 1 >tree/deep/file
awaited "a new file further below does" runs 3
mkdir -p tree/new/newer
awaited "a new directory does" runs 4
echo 1 >tree/new/newer/file
awaited "a file in the new directory does" runs 5
rm tree/file
awaited "a file that is removed does" runs 6
mkdir elsewhere
echo 1 >elsewhere/file
mv elsewhere tree/moved
awaited "a directory that is moved in does" runs 7
echo 2 >tree/moved/file
awaited "a change in it does" runs 8
mv tree/moved elsewhere
awaited "a directory that is moved out does" runs 9
echo 3 >elsewhere/file
echo 1 >tree/.hidden
echo 1 >tree/backup~
rm -r tree
awaited "the whole directory can go" runs 10
mkdir tree
awaited "and come back" runs 11
echo 1 >tree/file
awaited "and is watched then" runs 12
unwatch
holds "what is hidden, a backup or not there any more does not count" test "$(wc -l <runs)" -le 13

echo 1 >tree/file
echo 1 >tree/other
watch tree/file --debounce 50ms -- "${count[@]}"
echo 2 >tree/other
for round in 2 3 4; do
  echo "$round" >tree/swap
  mv tree/swap tree/file
  awaited "a file that is replaced runs the command, each time" runs $round
done
rm tree/file
awaited "a file that goes does" runs 5
echo 5 >tree/file
awaited "a file that comes back does" runs 6
unwatch
same "its neighbours do not" 6 "$(wc -l <runs)"

ln -sf tree/file link
watch link --debounce 50ms -- "${count[@]}"
echo 6 >tree/file
awaited "what a link leads to is watched" runs 2
ln -sf tree/other linked
mv linked link
awaited "and the link itself" runs 3
echo 7 >tree/other
awaited "and what it leads to then" runs 4
unwatch

mkdir -p tree/build tree/.config
watch tree --all --ignore 'build,*.o' --debounce 50ms -- "${count[@]}"
echo 1 >tree/build/file
echo 1 >tree/a.o
echo 1 >tree/.config/file
awaited "--all counts what is hidden" runs 2
unwatch
same "--ignore leaves out what it names, and what is below" 2 "$(wc -l <runs)"

watch tree --debounce 500ms -- "${count[@]}"
for number in 1 2 3 4 5 6 7 8 9 10; do echo $number >tree/file; done
awaited "a burst of changes runs the command" runs 2
unwatch
same "once" 2 "$(wc -l <runs)"

watch tree --debounce 400ms --max 400ms -- "${count[@]}"
rm -f enough
(while [[ ! -e enough ]]; do echo 8 >tree/file && sleep 0.05; done) &
changing=$!
awaited "--max runs the command while things keep changing" runs 3
: >enough
wait "$changing"
unwatch

rm -rf busy go
watch tree --debounce 20ms -- sh -c \
  'mkdir busy || echo overlap >>runs; echo x >>runs; [ ! -e go ] || while [ ! -e gone ]; do sleep 0.02; done; rmdir busy'
touch go tree/file
awaited "a run that lasts" runs 2
for number in 1 2 3; do echo $number >tree/file; done
rm go
touch gone
awaited "changes while the command runs give another run after it" runs 3
awaited "which ends" test ! -e busy
unwatch
same "one more, and none at the same time" "xxx" "$(tr -d '\n' <runs)"

: >runs
"$pace" watch tree --debounce 20ms -- "${count[@]}" 2>err &
watcher=$!
# Without --now nothing says when it begins to watch: change the file until it has.
for ((try = 0; try < 300; try++)); do
  runs 1 && break
  echo $try >tree/file
  sleep 0.05
done
holds "without --now it waits for a change" runs 1
unwatch

watch tree --debounce 50ms -- sh -c 'echo "$*|$PACE_CHANGED" | tr "\n" " " >>runs; echo >>runs' sh {}
same "at the start, the watched paths have changed" "tree|tree " "$(cat runs)"
echo 9 >tree/file
awaited "a change runs the command" runs 2
same "with the changed path" "tree/file|tree/file " "$(tail -n 1 runs)"
(cd tree && echo 1 >one && echo 1 >'two words')
awaited "several do" runs 3
unwatch
same "with all of them" "tree/one tree/two words|tree/one tree/two words " "$(tail -n 1 runs)"

mkdir many
printf -v long '%099d' 0
(cd many && for number in $(seq 1000 2299); do : >"$long$number"; done)
watch many/* -- sh -c 'echo "$#|$PACE_CHANGED|" >>runs' sh {}
same "too many watched paths for a variable are left out" "0||" "$(cat runs)"
unwatch

watch tree --restart --debounce 20ms -- sh -c \
  'trap "echo told >>runs; exit" TERM; echo x >>runs; sleep 100 & wait'
echo 10 >tree/file
awaited "--restart starts a running command again" runs 3
same "after it was told to end" "x told x " "$(tr '\n' ' ' <runs)"
kill -TERM "$watcher"
wait "$watcher"
same "SIGTERM reaches it as well" "143 x told x told " "$? $(tr '\n' ' ' <runs)"

watch tree --debounce 20ms -- sh -c 'echo x >>runs; exit 3'
echo 9 >tree/file
awaited "a command that fails is run again" runs 2
unwatch
printf '#!/bin/sh\necho x >>runs\n' >built
chmod +x built
watch tree --debounce 20ms -- ./built
mv built moved
echo 10 >tree/file
awaited "a command that has run and is missing is told" grep -q '^pace watch: .*built' err
mv moved built
echo 11 >tree/file
awaited "and run again once it is there" runs 2
: >err
unwatch
watch tree -- sh -c 'trap "echo told >>runs; exit 0" TERM; echo x >>runs; sleep 5 >/dev/null & wait'
kill -TERM "$watcher"
wait "$watcher"
same "SIGTERM is passed on to the command, and ends watch with 143" "143 told" "$? $(tail -n 1 runs)"
status 74 "a path that is not there is 74" watch tree/nothing -- true
same "with one line" 1 "$(wc -l <err)"
status 127 "a command that is not there is 127" watch tree --now -- ./no-such-command

source "$here/roots.sh"
source "$here/stops.sh"

# --- the tour --------------------------------------------------------------------------------

start=$(milliseconds)
status 0 "the tour is 0" tour --svg tour.svg
between "the tour takes about ten seconds" 7000 20000 $(($(milliseconds) - start))
holds "the tour prints more than 20 lines" test "$(wc -l <out)" -gt 20
holds "the tour prints no control sequences here" test "$(tr -cd '\000-\011\013-\037\177' <out | wc -c)" -eq 0
holds "the tour draws a picture" grep -q '^</svg>$' tour.svg
same "with a title for each scene" 5 "$(grep -c 'class="title"' tour.svg)"
status 74 "a picture that cannot be written is 74" tour --svg no/such/folder.svg
same "and that is said at once, in one line" "0 1" "$(wc -l <out) $(wc -l <err)"
exec 3</dev/null
same "SIGINT ends the tour with 130" "[130]" "$(signalled INT 0.5 tour | tail -n 1)"
exec 3<&-

echo "$passed passed, $failed failed"
((failed == 0))

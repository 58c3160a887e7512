# Has `pace` ask a real server that fails, hangs and recovers. A part of pace.sh, which reads it.
#
# It needs python3 for the server and curl for the requests.

for needed in python3 curl; do holds "$needed is there" test -n "$(command -v $needed)"; done
python3 "$here/server.py" port &
server=$!
for _ in $(seq 100); do
  [[ -s port ]] && break
  sleep 0.1
done
url=http://127.0.0.1:$(cat port)

status 0 "retry gets through failures, a hang and a Retry-After" retry --attempts 9 \
  --backoff 20ms..100ms --jitter full -- \
  curl -fsS --max-time 0.5 "$url/503/500/hang/later/200?through"
same "at the fifth request" "request 5" "$(cat out)"

status 22 "retry passes on what the last request ended with" retry --attempts 3 --backoff 10ms -- \
  curl -fsS "$url/503?down"
same "after three requests" "request 4" "$(curl -sS "$url/503?down")"

start=$(milliseconds)
status 28 "retry waits no longer for a server that hangs than its deadline" retry --attempts 99 \
  --deadline 1s --backoff 400ms --jitter none -- curl -fsS --max-time 0.5 "$url/hang?deadline"
between "so it ends in time" 500 5000 $(($(milliseconds) - start))

start=$(milliseconds)
status 0 "every polls, and never two at a time" every 200ms --count 4 -- \
  curl -sS --max-time 0.5 "$url/200/hang/503/200?poll"
between "and keeps to its period" 600 10000 $(($(milliseconds) - start))
same "whatever the server says" "request 1${nl}request 3${nl}request 4" "$(cat out)"

kill "$server"
wait "$server" 2>/dev/null

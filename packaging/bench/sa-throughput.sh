#!/bin/bash
# SubnAdmGet(PathRecord) a second that the SA answers on ibsim, OpenSM and torus-sm in turn, with 1 and with 16 requests in flight.
# SIM=torus-sm in the environment: on torus-sm fabric instead of ibsim.
# usage: packaging/bench/sa-throughput.sh [RUNS] [TORUS] such as: 5 4x4x4,hosts=2
# Needs ibsim-utils, opensm, gcc, libibumad-dev, and a built torus-sm. SECONDS_EACH: how long each measurement takes (5).
# The last column is the processor time of the SM for each request in us. "limit" is a program in C in place of the SM that returns each request
# as its answer.
# all.sh: 3 2
set -eu
here=$(dirname "$(readlink -f "$0")")
set -- "${1:-5}" "${2:-4x4x4,hosts=2}"
. "$here/ibsim-torus.sh"
gcc -O2 -Wall -o sa-load "$here/sa-load.c" -libumad
gcc -O2 -Wall -o sa-answer "$here/sa-answer.c" -libumad
asker=$(nodes Ca | tail -1)
lids=$(($(nodes Ca | wc -l) + $(nodes Switch | wc -l))) # both SMs number from 1, without gaps
seconds=${SECONDS_EACH:-5}

load() { # NAME: requests a second with each window
  for window in 1 16; do
    before=$(processor_ms)
    rate=$(SIM_HOST=$asker ibsim-run ./sa-load "$window" "$seconds" "$lid" 1 "$lids")
    echo "$1 $window $rate $((($(processor_ms) - before) * 1000 / (rate * (seconds + 1) + 1)))"
  done
}

one() { # NAME LOG COMMAND...: requests a second with each window
  begin_one "$@"
  sleep 2
  lid=$(SIM_HOST=$asker ibsim-run sminfo | sed -n 's/.*sm lid \([0-9]*\) .*/\1/p')
  SIM_HOST=$asker ibsim-run ./sa-load 16 10 "$lid" 1 "$lids" >/dev/null # the JIT
  load "$name"
  if [ "$name" = torus-sm ]; then # its LIDs stay in the fabric after its end
    kill "$pid"
    wait "$pid" 2>/dev/null || true
    start_sm ./sa-answer
    sleep 0.5
    load limit
  fi
  stop_all
}

echo 'force_log_flush TRUE' >opensm.conf
both one
of() { awk -v n="$1" -v w="$window" -v c="$2" '$1 == n && $2 == w { print $c }' times; } # NAME COLUMN
for window in 1 16; do
  for name in opensm torus-sm limit; do
    for column in 3 4; do
      of $name $column | sort -n |
        awk -v n="$name, window $window" -v u="$([ $column = 3 ] && echo 'a second' || echo 'us of CPU each')" \
          '{ v[NR] = $1 } END { printf "%s: median %d %s, %d to %d, %d runs\n", n, v[int((NR + 1) / 2)], u, v[1], v[NR], NR }'
    done
  done
  result "SubnAdmGet(PathRecord), $window in flight, $torus" Gets/s "$(of opensm 3 | middle)" "$(of torus-sm 3 | middle)" "$(of limit 3 | middle)"
  result "processor for each of them, $window in flight" us "$(of opensm 4 | middle)" "$(of torus-sm 4 | middle)" "$(of limit 4 | middle)"
done

#!/bin/bash
# SubnAdmGet(PathRecord) a second that the SA answers on ibsim, OpenSM and torus-sm in turn, with 1 and with 16 requests in flight.
# SIM=torus-sm in the environment: on torus-sm fabric instead of ibsim.
# usage: packaging/bench/sa-throughput.sh [RUNS] [TORUS] such as: 5 4x4x4,hosts=2
# Needs ibsim-utils, opensm, gcc, libibumad-dev, and a built torus-sm. SECONDS_EACH: how long each measurement takes (5).
# The last column is the CPU time in us that the process of the SM used for each request.
set -eu
here=$(dirname "$(readlink -f "$0")")
set -- "${1:-5}" "${2:-4x4x4,hosts=2}"
. "$here/ibsim-torus.sh"
gcc -O2 -Wall -o sa-load "$here/sa-load.c" -libumad
asker=$(nodes Ca | tail -1)
lids=$(($(nodes Ca | wc -l) + $(nodes Switch | wc -l))) # both SMs number from 1, without gaps
seconds=${SECONDS_EACH:-5}
ticks=$(getconf CLK_TCK)

cpu() { awk '{ print $14 + $15 }' "/proc/$pid/stat"; } # ticks that the SM has used

one() { # NAME LOG COMMAND...: requests a second with each window
  name=$1 log=$2
  shift 2
  start_sim "$log"
  start_sm "$@"
  await_up "$log" 0.1
  sleep 2
  lid=$(SIM_HOST=$asker ibsim-run sminfo | sed -n 's/.*sm lid \([0-9]*\) .*/\1/p')
  SIM_HOST=$asker ibsim-run ./sa-load 16 10 "$lid" 1 "$lids" >/dev/null # the JIT
  for window in 1 16; do
    before=$(cpu)
    rate=$(SIM_HOST=$asker ibsim-run ./sa-load "$window" "$seconds" "$lid" 1 "$lids")
    echo "$name $window $rate $((($(cpu) - before) * (1000000 / ticks) / (rate * (seconds + 1) + 1)))"
  done
  stop_all
}

echo 'force_log_flush TRUE' >opensm.conf
both one
for window in 1 16; do
  for name in opensm torus-sm; do
    for column in 3 4; do
      awk -v n=$name -v w=$window -v c=$column '$1 == n && $2 == w { print $c }' times | sort -n |
        awk -v n="$name, window $window" -v u="$([ $column = 3 ] && echo 'a second' || echo 'us of CPU each')" \
          '{ v[NR] = $1 } END { printf "%s: median %d %s, %d to %d, %d runs\n", n, v[int((NR + 1) / 2)], u, v[1], v[NR], NR }'
    done
  done
done

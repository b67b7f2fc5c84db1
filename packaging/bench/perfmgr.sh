#!/bin/bash
# What reading the counters of all ports of a torus on ibsim each second costs: OpenSM and torus-sm, each without and with it, in turn. Of each:
# processor time of the SM in percent of one, requests for counters in a second, time of a PathRecord for one client that asks one after
# the other, and time from the loss of a link to SUBNET UP.
# usage: packaging/bench/perfmgr.sh [RUNS] [TORUS] such as: 3 10x10x10,hosts=1
# Needs ibsim-utils, opensm, gcc, libibumad-dev, curl, and a built torus-sm. SECONDS_EACH: how long each measurement takes (10).
set -eu
here=$(dirname "$(readlink -f "$0")")
set -- "${1:-3}" "${2:-10x10x10,hosts=1}"
. "$here/ibsim-torus.sh"
gcc -O2 -Wall -o sa-load "$here/sa-load.c" -libumad
asker=$(nodes Ca | tail -1)
switch=$(nodes Switch | sed -n "$((x * y * z / 2))p")
lids=$(($(nodes Ca | wc -l) + $(nodes Switch | wc -l)))
seconds=${SECONDS_EACH:-10}
ticks=$(getconf CLK_TCK)
http=127.0.0.1:19335

cpu() { awk '{ print $14 + $15 }' "/proc/$pid/stat"; } # ticks that the SM has used

requests() { # that torus-sm has sent
  curl -s "http://$http/metrics" | awk '/^torussm_perf_requests_total/ { n = $2 } END { printf "%d\n", n }'
}

one() { # NAME LOG COMMAND...
  name=$1 log=$2
  shift 2
  start_sim "$log"
  start_sm "$@"
  await_up "$log" 0.1
  sleep "$seconds" # several readings, and the JIT
  lid=$(SIM_HOST=$asker ibsim-run sminfo | sed -n 's/.*sm lid \([0-9]*\) .*/\1/p')
  SIM_HOST=$asker ibsim-run ./sa-load 1 3 "$lid" 1 "$lids" >/dev/null
  before=$(cpu) sent=$(requests)
  sleep "$seconds"
  echo "$name cpu $(((100 * ($(cpu) - before)) / (seconds * ticks)))"
  echo "$name requests $((($(requests) - sent) / seconds))"
  echo "$name sa-us $((1000000 / $(SIM_HOST=$asker ibsim-run ./sa-load 1 "$seconds" "$lid" 1 "$lids")))"
  ups=$(grep -c 'SUBNET UP' "$log")
  start=$EPOCHREALTIME
  echo "Unlink \"$switch\"[1]" >console
  until [ "$(grep -c 'SUBNET UP' "$log")" -gt "$ups" ]; do sleep 0.01; done
  awk -v n="$name" -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%s link-lost-ms %d\n", n, 1000 * (b - a) }'
  stop_all
}

cat >opensm-off.conf <<<'force_log_flush TRUE'
printf '%s\n' 'force_log_flush TRUE' 'perfmgr TRUE' 'perfmgr_sweep_time_s 1' >opensm-on.conf
printf '%s\n' "http_listen = \"$http\"" >off.conf
printf '%s\n' "http_listen = \"$http\"" 'perfmgr = true' 'perfmgr_sweep_time_s = 1' >on.conf
for _ in $(seq "$runs"); do
  for kind in off on; do
    one "opensm-$kind" opensm.log opensm -F "opensm-$kind.conf" -Q -R torus-2QoS,no_fallback --torus_config torus-2QoS.conf -f opensm.log
    one "torus-sm-$kind" out.txt "$sm" -F "$kind.conf" -Q -R torus-2QoS,no_fallback --torus_config torus-2QoS.conf --state-dir state
  done
done | tee times
for name in opensm-off opensm-on torus-sm-off torus-sm-on; do
  for what in cpu requests sa-us link-lost-ms; do
    awk -v n="$name" -v w="$what" '$1 == n && $2 == w { print $3 }' times | sort -n |
      awk -v n="$name $what" '{ v[NR] = $1 } END { printf "%s: median %d, %d to %d, %d runs\n", n, v[int((NR + 1) / 2)], v[1], v[NR], NR }'
  done
done

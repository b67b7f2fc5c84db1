#!/bin/bash
# Measures the cost of reading the counters of all ports of a torus on ibsim each second: torus-sm without and with it, and OpenSM without it, in
# turn. For each: processor time of the SM in percent of one processor, requests for counters a second, time of a PathRecord for one client with
# one request in flight, and time from the loss of a link to SUBNET UP.
# OpenSM 3.3.23 with perfmgr TRUE and perfmgr_sweep_time_s 1 is left out: on ibsim 0.10 it answers neither SMs nor the SA's clients a few
# seconds after SUBNET UP, misses the lost link, and ends by SIGKILL only.
# all.sh: 8 1 10x10x10,hosts=1
# SIM=torus-sm in the environment: on torus-sm fabric instead of ibsim.
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
  begin_one "$@"
  sleep "$seconds" # several readings, and the JIT
  lid=$(SIM_HOST=$asker timeout 20 ibsim-run sminfo | sed -n 's/.*sm lid \([0-9]*\) .*/\1/p')
  SIM_HOST=$asker timeout 30 ibsim-run ./sa-load 1 3 "$lid" 1 "$lids" >/dev/null
  before=$(cpu) sent=$(requests)
  sleep "$seconds"
  echo "$name cpu $(((100 * ($(cpu) - before)) / (seconds * ticks)))"
  echo "$name requests $((($(requests) - sent) / seconds))"
  echo "$name poll-ms $(curl -s "http://$http/metrics" | awk '/^torussm_perf_poll_seconds/ { n = 1000 * $2 } END { printf "%d\n", n }')"
  rate=$(SIM_HOST=$asker timeout $((seconds + 30)) ibsim-run ./sa-load 1 "$seconds" "$lid" 1 "$lids")
  echo "$name sa-us $((1000000 / (rate + 1)))"
  before=$(ups "$log")
  start=$EPOCHREALTIME
  echo "Unlink \"$switch\"[1]" >console
  until [ "$(ups "$log")" -gt "$before" ]; do sleep 0.01; done
  awk -v n="$name" -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%s link-lost-ms %d\n", n, 1000 * (b - a) }'
  stop_all
}

echo 'force_log_flush TRUE' >opensm.conf
printf '%s\n' "http_listen = \"$http\"" >off.conf
printf '%s\n' "http_listen = \"$http\"" 'perfmgr = true' 'perfmgr_sweep_time_s = 1' >on.conf
for _ in $(seq "$runs"); do
  one opensm opensm.log opensm -F opensm.conf -Q -R torus-2QoS,no_fallback --torus_config torus-2QoS.conf -f opensm.log
  for kind in off on; do
    one "torus-sm-$kind" out.txt "$sm" -F "$kind.conf" -Q -R torus-2QoS,no_fallback --torus_config torus-2QoS.conf --state-dir state
  done
done | tee times
for name in opensm torus-sm-off torus-sm-on; do
  for what in cpu requests poll-ms sa-us link-lost-ms; do
    awk -v n="$name" -v w="$what" '$1 == n && $2 == w { print $3 }' times | sort -n |
      awk -v n="$name $what" '{ v[NR] = $1 } END { printf "%s: median %d, %d to %d, %d runs\n", n, v[int((NR + 1) / 2)], v[1], v[NR], NR }'
  done
done
of() { awk -v n="$1" -v w="$2" '$1 == n && $2 == w { print $3 }' times | middle; }
for kind in off on; do
  case $kind in off) beside='no counters read' ;; on) beside='all counters read each second' ;; esac
  result "PathRecord, 1 in flight, $torus, $beside" us "$(of opensm sa-us)" "$(of torus-sm-$kind sa-us)"
  result "link lost, $torus, $beside" ms "$(of opensm link-lost-ms)" "$(of torus-sm-$kind link-lost-ms)"
done
result "reading all counters, $torus" ms '' "$(of torus-sm-on poll-ms)"

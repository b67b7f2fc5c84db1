#!/bin/bash
# Measures the loss of one link between switches of a torus on ibsim, and the restart of a host: from the command on the console
# of ibsim to the line SUBNET UP of the SM, OpenSM and torus-sm in turn.
# SIM=torus-sm in the environment: on torus-sm fabric instead of ibsim.
# usage: packaging/bench/link-loss.sh [RUNS] [TORUS] such as: 5 10x10x10,hosts=2   (needs ibsim-utils, opensm, a built torus-sm)
# all.sh: 8 2 10x10x10,hosts=2
set -eu
. "$(dirname "$(readlink -f "$0")")/ibsim-torus.sh"
switch=$(nodes Switch | sed -n "$((x * y * z / 2))p")
victim=$(nodes Ca | tail -1)

event() { # NAME LOG EVENT COMMAND-OF-IBSIM: prints seconds until the next SUBNET UP in LOG
  before=$(ups "$2")
  start=$EPOCHREALTIME
  echo "$4" >console
  until [ "$(ups "$2")" -gt "$before" ]; do sleep 0.01; done
  awk -v n="$1" -v w="$3" -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%s %s %.2f\n", n, w, b - a }'
  sleep 3 # further sweeps that the same event causes
}

one() { # NAME LOG COMMAND...
  begin_one "$@"
  sleep 15 # a light sweep, and the JIT
  event "$name" "$log" link-lost "Unlink \"$switch\"[1]"
  event "$name" "$log" link-back "ReLink \"$switch\"[1]"
  event "$name" "$log" host-lost "Unlink \"$victim\"[1]"
  event "$name" "$log" host-back "ReLink \"$victim\"[1]"
  stop_all
  cp "$log" "last-$name.log"
}

printf 'force_log_flush TRUE\nsm_priority 0\n' >opensm.conf
both one
for name in opensm torus-sm; do
  for what in link-lost link-back host-lost host-back; do
    awk -v n=$name -v w=$what '$1 == n && $2 == w { print $3 }' times | median "$name $what"
  done
done
for what in link-lost link-back host-lost host-back; do
  of() { awk -v n="$1" -v w="$what" '$1 == n && $2 == w { print $3 }' times | middle; }
  result "SUBNET UP after ${what/-/ }, $torus" s "$(of opensm)" "$(of torus-sm)"
done
grep 'SUBNET UP\|routes stay\|trap' last-torus-sm.log | tail -14

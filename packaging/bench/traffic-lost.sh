#!/bin/bash
# Counts the packets that the data plane loses while a cable or a switch of a torus is lost and returns, with OpenSM and with torus-sm, on the
# embedded fabric (torus-sm fabric). All hosts send to each other. Packets to the dead cable (LINK_DOWN, NOT_ACTIVE) are lost until the new tables
# are written: the cost of the reaction time. Packets without an entry (NO_ENTRY) or in a forwarding loop (LOOP) are the cost of the order of writes.
# usage: packaging/bench/traffic-lost.sh [EVENTS] [TORUS] [PACKETS-PER-SECOND]   (needs ibsim-utils, opensm, a built torus-sm)
# all.sh: 3 4 10x10x10,hosts=2 20000
set -eu
events=${1:-4} rate=${3:-20000} SIM=torus-sm
. "$(dirname "$(readlink -f "$0")")/ibsim-torus.sh" 1 "${2:-10x10x10,hosts=2}"
nodes Switch >switch-names
count=$(wc -l <switch-names)

event() { # NAME LOG WHAT COMMAND: the packets that were lost, by reason
  local before limit=$((SECONDS + 60))
  before=$(grep -c 'SUBNET UP' "$2")
  echo "Traffic anew" >console
  echo "$4" >console
  until [ "$(grep -c 'SUBNET UP' "$2")" -gt "$before" ]; do
    [ "$SECONDS" -lt "$limit" ] || { echo "no SUBNET UP within a minute" >&2; exit 1; }
    sleep 0.05
  done
  sleep 1.5 # further sweeps that the same event causes
  : >simulator.out
  echo Traffic >console
  until grep -q 'packets a second' simulator.out; do sleep 0.02; done
  sleep 0.1
  awk -v n="$1" -v w="$3" '/packets a second/ { match($0, /sent [0-9]+/); sent = substr($0, RSTART + 5, RLENGTH - 5)
      match($0, /lost [0-9]+/); lost = substr($0, RSTART + 5, RLENGTH - 5) }
    /^(sim> )?lost [A-Z]/ { for (i = 2; i < NF; i += 2) { gsub(/,/, "", $(i + 1)); by[$i] += $(i + 1) } }
    END { print n, w, sent, lost, by["LINK_DOWN"] + by["NOT_ACTIVE"], by["NO_ENTRY"] + 0, by["LOOP"] + 0 }' simulator.out
}

one() { # NAME LOG COMMAND...
  begin_one "$@"
  sleep 12 # a light sweep
  echo "Traffic $rate" >console
  for i in $(seq "$events"); do
    switch=$(sed -n "$((i * 47 % count + 1))p" switch-names)
    event "$name" "$log" link-lost "Unlink \"$switch\"[$((i % 6 + 1))]"
    event "$name" "$log" link-back "ReLink \"$switch\"[$((i % 6 + 1))]"
  done
  switch=$(sed -n "$((count / 2))p" switch-names)
  event "$name" "$log" switch-lost "Unlink \"$switch\""
  event "$name" "$log" switch-back "ReLink \"$switch\""
  stop_all
}

printf 'force_log_flush TRUE\nsm_priority 0\n' >opensm.conf
both one >/dev/null
printf '%-10s %-12s %7s %10s %8s   %s\n' SM event events sent lost 'by: dead cable, no entry, circle'
for what in link-lost link-back switch-lost switch-back; do
  for name in opensm torus-sm; do
    awk -v n=$name -v w=$what '$1 == n && $2 == w { k++; for (i = 3; i <= 7; i++) sum[i] += $i }
      END { printf "%-10s %-12s %7d %10d %8d   %d %d %d\n", n, w, k, sum[3], sum[4], sum[5], sum[6], sum[7] }' times
  done
  of() { awk -v n="$1" -v w="$what" '$1 == n && $2 == w { lost += $4; k++ } END { printf "%.1f\n", lost / k }' times; }
  result "packets lost of $rate/s, ${what/-/ }, $torus" packets "$(of opensm)" "$(of torus-sm)"
done

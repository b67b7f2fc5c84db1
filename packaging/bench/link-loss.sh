#!/bin/bash
# Loss of one link between switches of a torus on ibsim: from the moment that the console of ibsim is told to the SM's line
# SUBNET UP, OpenSM and torus-sm in turn; and the restart of a host.
# usage: packaging/bench/link-loss.sh [RUNS] [TORUS] such as: 5 10x10x10,hosts=2   (needs ibsim-utils, opensm, a built torus-sm)
set -eu
cd "$(dirname "$(readlink -f "$0")")/../.."
runs=${1:-5}
torus=${2:-10x10x10,hosts=2}
sm=$PWD/daemon/target/torus-sm/bin/torus-sm
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
cd "$work"
"$sm" --once -Q -R torus-2QoS --simulate "torus:$torus" --state-dir state --dump-dir dumps >sim.log
read -r x y z <<<"$(echo "${torus%%,*}" | tr x ' ')"
guid() { printf '0x%x' $((0x200000 + 0x10 * ($1 * y * z + $2 * z + $3))); }
{
  echo "torus $x $y $z"
  for d in x y z; do
    case $d in x) to=$(guid 1 0 0) from=$(guid $((x - 1)) 0 0) ;; y) to=$(guid 0 1 0) from=$(guid 0 $((y - 1)) 0) ;;
      z) to=$(guid 0 0 1) from=$(guid 0 0 $((z - 1))) ;; esac
    echo "${d}p_link $(guid 0 0 0) $to"
    echo "${d}m_link $(guid 0 0 0) $from"
  done
} >torus-2QoS.conf
nodes() { sed -n "s/^$1[[:space:]]*[0-9]*[[:space:]]*\"\([^\"]*\)\".*/\1/p" dumps/fabric.topo; }
host=$(nodes Ca | head -1)
switch=$(nodes Switch | sed -n "$((x * y * z / 2))p")
victim=$(nodes Ca | tail -1)

ups() { grep -c 'SUBNET UP' "$1" 2>/dev/null || true; }

event() { # NAME LOG WHAT COMMAND-OF-IBSIM: seconds until LOG says SUBNET UP once more
  before=$(ups "$2")
  start=$EPOCHREALTIME
  echo "$4" >console
  until [ "$(ups "$2")" -gt "$before" ]; do sleep 0.01; done
  awk -v n="$1" -v w="$3" -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%s %s %.2f\n", n, w, b - a }'
  sleep 3 # further sweeps that the same event causes
}

one() { # NAME LOG COMMAND...
  name=$1 log=$2
  shift 2
  export IBSIM_SOCKNAME="bench-$$-$RANDOM" SIM_HOST=$host
  rm -rf console sys-* "$log" cache state
  mkdir cache
  mkfifo console
  sleep 1000000 >console &
  keep=$!
  ibsim -s -N 20000 -S 9000 -P 200000 -L 49152 dumps/fabric.topo <console >ibsim.out 2>&1 &
  sim=$!
  until grep -q 'simulator ready' ibsim.out; do :; done
  OSM_CACHE_DIR=$work/cache OSM_TMP_DIR=$work/cache ibsim-run "$@" >out.txt 2>&1 </dev/null &
  pid=$!
  until [ "$(ups "$log")" -gt 0 ]; do
    kill -0 $pid || { cat out.txt; exit 1; }
    sleep 0.1
  done
  sleep 15 # a light sweep, and the JIT
  event "$name" "$log" link-lost "Unlink \"$switch\"[1]"
  event "$name" "$log" link-back "ReLink \"$switch\"[1]"
  event "$name" "$log" host-lost "Unlink \"$victim\"[1]"
  event "$name" "$log" host-back "ReLink \"$victim\"[1]"
  kill $pid
  wait $pid 2>/dev/null || true
  cp "$log" "$name.log"
  kill $sim $keep
  wait $sim $keep 2>/dev/null || true
}

printf 'force_log_flush TRUE\nsm_priority 0\n' >opensm.conf
for _ in $(seq "$runs"); do
  one opensm opensm.log opensm -F opensm.conf -Q -R torus-2QoS,no_fallback --torus_config torus-2QoS.conf -f opensm.log
  one torus-sm out.txt "$sm" -Q -R torus-2QoS,no_fallback --torus_config torus-2QoS.conf --state-dir state
done | tee times
for name in opensm torus-sm; do
  for what in link-lost link-back host-lost host-back; do
    awk -v n=$name -v w=$what '$1 == n && $2 == w { print $3 }' times | sort -n |
      awk -v n="$name $what" '{ v[NR] = $1 } END { printf "%s: median %.2f s, %.2f to %.2f, %d runs\n", n, v[int((NR + 1) / 2)], v[1], v[NR], NR }'
  done
done
grep 'SUBNET UP\|routes stay\|trap' torus-sm.log | tail -12

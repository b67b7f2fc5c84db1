#!/bin/bash
# Measures the start of an SM on ibsim, from process start (with launcher and JVM) to the first SMP and to SUBNET UP: OpenSM, torus-sm, and
# torus-sm without its archive of classes in turn. Then kills the master of a pair: from the standby's decision by polling to its first write.
# usage: packaging/bench/start.sh [RUNS] [TORUS] such as: 5 6x5,hosts=1
# Needs ibsim-utils, opensm, gcc, libibumad-dev, and a built torus-sm.
# all.sh: 3 5 6x5,hosts=1
# shellcheck disable=SC2154 # what ibsim-torus.sh sets
set -eu
here=$(dirname "$(readlink -f "$0")")
set -- "${1:-5}" "${2:-6x5,hosts=1}"
. "$here/ibsim-torus.sh"
gcc -shared -fPIC -O2 -Wall -o smp-times.so "$here/smp-times.c" -ldl
umad2sim=$(sed -n 's/^sim_so=//p' "$(command -v ibsim-run)")
home=${sm%/bin/torus-sm}
mkdir -p bare
cp -r "$home/bin" bare/
ln -s "$home/lib" bare/lib
options=(-Q -R "torus-2QoS,no_fallback" --torus_config torus-2QoS.conf)
echo 'force_log_flush TRUE' >opensm.conf
opensm=(opensm -F opensm.conf "${options[@]}" -f opensm.log)
ours=("$sm" -F torus-sm.conf "${options[@]}" --state-dir state)
bare=(bare/bin/torus-sm -F torus-sm.conf "${options[@]}" --state-dir state)

# shellcheck disable=SC2154
one() { # NAME LOG COMMAND...: milliseconds to the first SMP, of processor time until then, to SUBNET UP, and of processor time
  local name=$1 log=$2
  shift 2
  start_sim "$log"
  rm -f smp-times
  start=$EPOCHREALTIME
  OSM_CACHE_DIR=$work/cache OSM_TMP_DIR=$work/cache SMP_TIMES=$work/smp-times LD_PRELOAD=$work/smp-times.so:$umad2sim "$@" >out.txt 2>&1 </dev/null &
  pid=$!
  await_up "$log" 0.005
  up=$EPOCHREALTIME
  read -r first busy _ <smp-times
  awk -v n="$name" -v a="$start" -v f="$first" -v b="$busy" -v u="$up" -v c="$(processor_ms)" \
    'BEGIN { printf "%s %.0f %.0f %.0f %d\n", n, 1000 * (f - a), 1000 * b, 1000 * (u - a), c }'
  stop_all
}

echo 'SM, ms to the first SMP, ms of processor time until then, ms to SUBNET UP, ms of processor time'
for _ in $(seq "$runs"); do
  one opensm opensm.log "${opensm[@]}"
  one torus-sm out.txt "${ours[@]}"
  one without-archive out.txt "${bare[@]}"
done | tee times
median_of() { awk -v n="$1" -v c="$2" '$1 == n { print $c }' times | middle; } # NAME COLUMN
for name in opensm torus-sm without-archive; do
  echo "$name, median: first SMP $(median_of $name 2) ms ($(median_of $name 3) ms of processor time), SUBNET UP $(median_of $name 4) ms ($(median_of $name 5) ms)"
done
result "start to first SMP, $torus" ms "$(median_of opensm 2)" "$(median_of torus-sm 2)"
result "start to SUBNET UP, $torus" ms "$(median_of opensm 4)" "$(median_of torus-sm 4)"
result "start to first SMP without archive, $torus" ms '' "$(median_of without-archive 2)"

standby() { # a pair of torus-sm: milliseconds from the log line of the decision to the first SMP that writes
  local hosts master
  mapfile -t hosts < <(nodes Ca | head -2)
  start_sim out.txt
  start_sm "${ours[@]}" --control-socket none --http-listen none --priority 9
  master=$pid
  await_up out.txt 0.1
  rm -f smp-times
  # shellcheck disable=SC2030
  SIM_HOST=${hosts[1]} SMP_TIMES=$work/smp-times LD_PRELOAD=$work/smp-times.so:$umad2sim "$sm" -F torus-sm.conf "${options[@]}" --state-dir state-2 \
    --control-socket none --http-listen none --priority 3 >standby.txt 2>&1 </dev/null &
  pid=$!
  until grep -q 'STANDBY' standby.txt; do sleep 0.1; done
  sleep 15 # polls, until their code is compiled
  kill -9 "$master"
  until grep -q 'SUBNET UP' standby.txt; do sleep 0.1; done
  decided=$(date -d "$(grep 'STANDBY -> ' standby.txt | tail -1 | cut -d ' ' -f 1)" +%s.%N)
  awk -v d="$decided" '$3 == 2 && $1 >= d && $4 != "0x20" { printf "%.0f\n", 1000 * ($1 - d); exit }' smp-times
  stop_all
  rm -rf state-2
}
echo "standby, ms from its decision to its first write: $(for _ in 1 2 3; do standby; done | tee standby-times | paste -sd ' ')"
result "standby: decision to first write, $torus" ms '' "$(middle <standby-times)"

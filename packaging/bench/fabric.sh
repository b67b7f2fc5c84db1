#!/bin/bash
# Compares the embedded fabric (torus-sm fabric) with ibsim on the same torus: cold sweeps of OpenSM and of torus-sm, each on a new server, and a
# second sweep of OpenSM on a warm server; then SMPs a second of a client without libumad2sim.
# usage: packaging/bench/fabric.sh [RUNS] [TORUS] such as: 3 10x10x10,hosts=2   (needs ibsim-utils, opensm, a built torus-sm and its tests)
# all.sh: 8 1 10x10x10,hosts=2
set -eu
. "$(dirname "$(readlink -f "$0")")/ibsim-torus.sh"
: "${COUNT:=400000}"
echo 'force_log_flush TRUE' >opensm.conf

start_server() { # ibsim|torus-sm LOG
  rm -f ibsim.out fabric.out
  if [ "$1" = ibsim ]; then
    start_sim "$2"
    return
  fi
  SIM_HOST=$(nodes Ca | head -1)
  export IBSIM_SOCKNAME="bench-$$-$RANDOM" SIM_HOST
  rm -rf console sys-* "$2" cache state
  mkdir cache
  mkfifo console
  sleep 1000000 >console &
  keep=$!
  "$sm" fabric dumps/fabric.topo <console >fabric.out 2>&1 &
  sim=$!
  until grep -qs 'simulator ready' fabric.out; do sleep 0.05; done
}

sweep() { # NAME LOG COMMAND...: from process start to SUBNET UP
  name=$1 log=$2
  shift 2
  rm -rf "$log" cache state
  mkdir cache
  start=$EPOCHREALTIME
  start_sm "$@"
  await_up "$log" 0.01
  awk -v n="$name" -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%s %.2f\n", n, b - a }'
  kill "$pid"
  wait "$pid" 2>/dev/null || true
}

stop_server() {
  kill "$sim" "$keep"
  wait "$sim" "$keep" 2>/dev/null || true
}

rules=(-Q -R torus-2QoS,no_fallback --torus_config torus-2QoS.conf)
for _ in $(seq "$runs"); do
  for server in ibsim torus-sm; do
    start_server $server opensm.log
    sweep "OpenSM-on-$server" opensm.log opensm -F opensm.conf "${rules[@]}" -f opensm.log
    sweep "OpenSM-on-warm-$server" opensm.log opensm -F opensm.conf "${rules[@]}" -f opensm.log
    stop_server
    start_server $server out.txt
    sweep "torus-sm-on-$server" out.txt "$sm" -F torus-sm.conf "${rules[@]}" --state-dir state
    stop_server
    start_server $server out.txt
    sweep "torus-sm-without-libumad2sim-on-$server" out.txt env LD_PRELOAD= "$sm" -F torus-sm.conf "${rules[@]}" \
      --simulate "unix:$IBSIM_SOCKNAME" --sim-host "$SIM_HOST"
    stop_server
  done
done | tee times
for name in $(cut -d' ' -f1 times | sort -u); do
  awk -v n="$name" '$1 == n { print $2 }' times | median "$name"
done

of() { awk -v n="$1" '$1 == n { print $2 }' times | middle; }
result "cold sweep of torus-sm fabric over libumad2sim, $torus" s "$(of OpenSM-on-torus-sm)" "$(of torus-sm-on-torus-sm)"
result "cold sweep of torus-sm fabric without libumad2sim, $torus" s "$(of OpenSM-on-torus-sm)" "$(of torus-sm-without-libumad2sim-on-torus-sm)"

classpath=${CLASSPATH_OF_TESTS:-$(cd "$OLDPWD" && mvn -q -pl mad-transport dependency:build-classpath -Dmdep.includeScope=test \
  -Dmdep.outputFile=/dev/stdout):$OLDPWD/mad-transport/target/classes:$OLDPWD/mad-transport/target/test-classes}
for window in 4 16 64; do
  for server in ibsim torus-sm; do
    start_server $server out.txt
    java -cp "$classpath" io.torussm.sim.serve.ServedRate "$IBSIM_SOCKNAME" "$SIM_HOST" $window "$COUNT" 5 | tail -1 | sed "s/^/$server, /"
    stop_server
  done
done
uptime

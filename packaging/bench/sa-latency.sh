#!/bin/bash
# Measures SubnAdmGet(PathRecord) in process, in an open loop (io.torussm.sweep.SaUnderSweep), at rest and beside continuous sweeps of an 8x8x8
# torus, with each collector of each JVM in turn: the 99.9 % quantile above the lateness of the machine alone.
# usage: packaging/bench/sa-latency.sh [REQUESTS-A-SECOND] [SECONDS]    (needs Maven, or CLASSPATH_OF_BENCH)
# JAVA_HOMES=DIRECTORIES: other JVMs than that of the PATH. A JVM of version 21 or later is also run with generational ZGC.
# all.sh: 5 100000 3
set -eu
here=$(dirname "$(readlink -f "$0")")
. "$here/measure.sh"
cd "$here/../.."
rate=${1:-100000}
seconds=${2:-5}

classpath=$(classpath_of_bench)

one() { # JAVA VERSION COLLECTOR FLAGS...: a row
  java=$1 name="JDK $2, $3"
  shift 3
  "$java" -Xmx1g "$@" -cp "$classpath" io.torussm.sweep.SaUnderSweep "$rate" "$seconds" 2>&1 |
    awk -F'\t' -v n="$name" '$1 == "99.9 %" { printf "%-28s machine %7.3f ms, SA at rest %7.3f, beside sweeps %7.3f\n", n, $2, $3, $4; f = 1
      print $4 - $2 >over; close(over) } { last = $0 } END { if (!f) { print n ": " last; exit 1 } }' over="$over"
  result "99.9 % of Gets beside sweeps, above the machine's own, $name" ms '' "$(cat "$over")" 2
}

over=$(mktemp)
trap 'rm -f "$over"' EXIT
default=$(readlink -f "$(command -v java)")
for jvm in ${JAVA_HOMES:-${default%/bin/java}}; do
  version=$("$jvm/bin/java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)
  # as bin/torus-sm has it
  one "$jvm/bin/java" "$version" SerialGC -XX:+UseSerialGC -Xms32m -XX:NewSize=12m -XX:MaxNewSize=64m -XX:NewRatio=4 \
    -XX:MinHeapFreeRatio=20 -XX:MaxHeapFreeRatio=25
  one "$jvm/bin/java" "$version" ParallelGC -XX:+UseParallelGC
  one "$jvm/bin/java" "$version" G1 -XX:+UseG1GC
  if [ "$version" -ge 24 ]; then
    one "$jvm/bin/java" "$version" ZGC -XX:+UseZGC
  elif [ "$version" -ge 21 ]; then
    one "$jvm/bin/java" "$version" "generational ZGC" -XX:+UseZGC -XX:+ZGenerational
  fi
done

#!/bin/bash
# Sends traffic with hot spots over a tree and a torus, with several settings of congestion control, and searches for better ones. Prints a
# table; congestion.py draws the plot from OUTPUT.
# usage: packaging/bench/congestion.sh [OUTPUT] [LENGTH] [BUDGET]   (needs a built torus-sm; an hour at the lowest priority)
# BUDGET: of each search, in whole runs.
# OUTPUT: a directory for TOPOLOGY-PATTERN.json; files that are there are kept. TOPOLOGIES and PATTERNS in the environment: those to run.
# TORUS_SM in the environment: the program.
set -eu
here=$(dirname "$(readlink -f "$0")")
output=${1:-congestion} length=${2:-10000} budget=${3:-6}
sm=${TORUS_SM:-$PWD/daemon/target/torus-sm/bin/torus-sm}
mkdir -p "$output"
for topology in ${TOPOLOGIES:-tree:10,3 torus:8x8x8,hosts=2}; do
  for pattern in ${PATTERNS:-windy hot-spot victim}; do
    file=$output/${topology//[:,=]/_}-$pattern.json
    [ ! -e "$file" ] || continue
    nice -n 19 "$sm" traffic "$topology" --pattern "$pattern" --load 0.5 --length "$length" --congestion off,published,scaled,scaled:32 \
      --tune-cc "$budget" --json >"$file.part"
    mv "$file.part" "$file"
  done
done
python3 "$here/congestion.py" table "$output"

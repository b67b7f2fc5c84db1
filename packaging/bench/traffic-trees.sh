#!/bin/bash
# Measures the throughput of a tree by routing engine, whole and with lost cables, with the tables of torus-sm and with those of OpenSM for the
# same fabric on ibsim: hosts over the busiest cable under all shifts, and the accepted share of the offered load. Prints a table;
# traffic-trees.py draws plots from OUTPUT.
# usage: packaging/bench/traffic-trees.sh [TREE] [LOST] [LENGTH] [LOADS] [OUTPUT]   (needs ibsim-utils, opensm, a built torus-sm)
# all.sh: 4 tree:6,3 5 100 0.4,1
# TREE: a specification of three levels, whose spines are sw-3-N. OUTPUT: a directory for STATE-PATTERN.json.
# ENGINES in the environment: those to compare. PATTERNS: of traffic. ONLY=torus-sm leaves OpenSM out.
set -eu
tree=${1:-tree:10,3} lost=${2:-20} length=${3:-200} loads=${4:-0.2,0.4,0.6,0.8,1}
output=$(realpath -m "${5:-traffic-trees}") engines=${ENGINES:-ftree,updn,minhop,nue}
mkdir -p "$output"
here=$(dirname "$(readlink -f "$0")")
. "$here/ibsim-torus.sh" 1 2x2x1
"$sm" --once -R minhop --simulate "$tree" --state-dir state --dump-dir dumps >sim.log 2>&1
cp dumps/fabric.topo whole.topo
sed -n 's/^switchguid=\(0x[0-9a-f]*\).*/\1/p; s/^Switch.*# "\(sw-[0-9]*\)-.*/\1/p' whole.topo | awk '/^0x/ { guid = $1 } $1 == "sw-3" { print guid }' >roots
"$sm" traffic whole.topo -R minhop --shifts --lose "$lost" --json 2>/dev/null | sed -n 's/.*"link \(.*\) port \([0-9]*\) to \(.*\) port \([0-9]*\)".*/\1 \2\n\3 \4/p' >cut
awk 'NR == FNR { cut[$1 " [" $2 "]"]; next }
  /^(Switch|Ca)/ { split($0, part, "# *\""); sub(/".*/, "", part[2]); node = part[2] }
  { split($1, port, "]"); if (!((node " " port[1] "]") in cut)) print }' cut whole.topo >broken.topo
echo "$tree: $(wc -l <roots) spines, $(grep -c '^Ca' whole.topo) hosts; $(($(wc -l <cut) / 2)) cables are lost in broken"

printf 'force_log_flush TRUE\nmax_wire_smps 32\n' >opensm.conf
opensm_tables() { # STATE ENGINE: dumps/STATE-ENGINE
  cp "$1.topo" dumps/fabric.topo
  start_sim opensm.log
  start_sm opensm -F opensm.conf -R "$2" -a roots -D 0x43 -f opensm.log
  await_up opensm.log 1
  stop_all
  grep -o 'Error during.*\|.* routing failed' opensm.log | head -2 | sed "s/^/OpenSM, $1, $2: /" || true
  mv cache "OpenSM-$2-$1"
}

for state in whole broken; do
  dumps=()
  for engine in ${engines//,/ }; do
    [ "${ONLY:-opensm}" = opensm ] || continue
    opensm_tables $state "$engine"
    dumps+=(--dump "OpenSM-$engine-$state")
  done
  for pattern in ${PATTERNS:-uniform all-to-all}; do
    "$sm" traffic $state.topo --compare "$engines" --root_guid_file roots "${dumps[@]}" --pattern "$pattern" --load "$loads" \
      --length "$length" --json >"$output/$state-$pattern.json" 2>progress || { tail -3 progress; exit 1; }
  done
done
python3 "$here/traffic-trees.py" table "$output"
for state in whole broken; do
  of() { python3 "$here/traffic-trees.py" mean "$output" "$state" "$1 ${engines%%,*}"; }
  result "hosts over busiest cable, ${engines%%,*}, $state, ${tree/:/ }" hosts "$(of OpenSM)" "$(of torus-sm)"
done

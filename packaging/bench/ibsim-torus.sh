# Sourced by the benchmarks on a simulated fabric: ibsim or, with SIM=torus-sm in the environment, torus-sm fabric. Sets sm, runs, torus, x, y, z,
# enters a new working directory, and creates the topology (dumps/fabric.topo) and torus-2QoS.conf of a torus there.
# Arguments: [RUNS] [TORUS]. ONLY=torus-sm: without OpenSM.
# shellcheck shell=bash disable=SC2034
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/measure.sh"
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
runs=${1:-5}
torus=${2:-10x10x10,hosts=2}
sm=${TORUS_SM:-$PWD/daemon/target/torus-sm/bin/torus-sm}
archive=${sm%/torus-sm}/torus-archive
[ ! -x "$archive" ] || [ -n "${NO_ARCHIVE:-}" ] || [ -n "$(find "${sm%/bin/*}/archive" -newer "${sm%/bin/*}/lib" -name '*.jsa' 2>/dev/null)" ] || "$archive"
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"
: >torus-sm.conf # an empty file instead of the configuration of this machine
"$sm" --once -Q -R torus-2QoS --simulate "torus:$torus" --state-dir state --dump-dir dumps >sim.log
read -r x y z <<<"$(echo "${torus%%,*}" | tr x ' ')"
z=${z:-1}
guid() { printf '0x%x' $((0x200000 + 0x10 * ($1 * y * z + $2 * z + $3))); }
{
  echo "torus $x $y $z"
  for d in x y z; do
    [ $d != z ] || [ "$z" -gt 1 ] || continue
    case $d in x) to=$(guid 1 0 0) from=$(guid $((x - 1)) 0 0) ;; y) to=$(guid 0 1 0) from=$(guid 0 $((y - 1)) 0) ;;
      z) to=$(guid 0 0 1) from=$(guid 0 0 $((z - 1))) ;; esac
    echo "${d}p_link $(guid 0 0 0) $to"
    echo "${d}m_link $(guid 0 0 0) $from"
  done
} >torus-2QoS.conf
nodes() { sed -n "s/^$1[[:space:]]*[0-9]*[[:space:]]*\"\([^\"]*\)\".*/\1/p" dumps/fabric.topo; } # Ca or Switch

case ${SIM:=ibsim} in
  ibsim) simulator=(ibsim -s -N 50000 -S 17000 -P 200000 -L 49152 dumps/fabric.topo) ;;
  torus-sm) simulator=("$sm" fabric dumps/fabric.topo) ;;
  *) echo "SIM is ibsim or torus-sm, not $SIM" >&2; exit 2 ;;
esac

start_sim() { # LOG: starts a new simulator whose console is the pipe "console"; new log and cache for the SM
  SIM_HOST=$(nodes Ca | head -1)
  export IBSIM_SOCKNAME="bench-$$-$RANDOM" SIM_HOST
  rm -rf console sys-* "$1" cache state
  mkdir cache
  mkfifo console
  sleep 1000000 >console &
  keep=$!
  "${simulator[@]}" <console >simulator.out 2>&1 &
  sim=$!
  until grep -qs 'simulator ready' simulator.out; do
    kill -0 "$sim" || { cat simulator.out; exit 1; }
    sleep 0.01
  done
}

start_sm() { # COMMAND...: sets pid
  OSM_CACHE_DIR=$work/cache OSM_TMP_DIR=$work/cache ibsim-run "$@" >out.txt 2>&1 </dev/null &
  pid=$!
}

await_up() { # LOG PAUSE: until LOG says SUBNET UP
  until grep -q 'SUBNET UP' "$1" 2>/dev/null; do
    kill -0 "$pid" || { cat out.txt; exit 1; }
    sleep "$2"
  done
}

ups() { # LOG: how often it says SUBNET UP
  grep -c 'SUBNET UP' "$1" || true
}

begin_one() { # NAME LOG COMMAND...: sets name and log; starts a new simulator and the SM, and waits for SUBNET UP
  name=$1 log=$2
  shift 2
  start_sim "$log"
  start_sm "$@"
  await_up "$log" 0.1
}

stop_all() {
  kill "$pid"
  wait "$pid" 2>/dev/null || true
  kill "$sim" "$keep"
  wait "$sim" "$keep" 2>/dev/null || true
}

both() { # ONE: calls ONE NAME LOG COMMAND... for OpenSM and torus-sm in turn; their output is in the file "times"
  for _ in $(seq "$runs"); do
    [ "${ONLY:-opensm}" != opensm ] || "$1" opensm opensm.log opensm -F opensm.conf -Q -R torus-2QoS,no_fallback --torus_config torus-2QoS.conf -f opensm.log
    "$1" torus-sm out.txt "$sm" -F torus-sm.conf -Q -R torus-2QoS,no_fallback --torus_config torus-2QoS.conf --state-dir state
  done | tee times
}

median() { # TITLE: of the numbers in standard input
  sort -n | awk -v n="$1" '{ v[NR] = $1 } END { printf "%s: median %.2f s, %.2f to %.2f, %d runs\n", n, v[int((NR + 1) / 2)], v[1], v[NR], NR }'
}

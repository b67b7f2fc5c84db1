#!/bin/bash
# Runs all benchmarks one after the other, half an hour to an hour, and prints a table of the results: work, unit, OpenSM, torus-sm, their
# ratio, the limit of wire, kernel or machine, and the share of the limit that torus-sm reaches.
# usage: packaging/bench/all.sh [OPTION]...   (needs the programs that the scripts need, a built torus-sm, and an idle machine)
#   --list         lists the benchmarks and whether they are finished
#   --only NAME    runs this benchmark; may be repeated
#   --again        runs finished benchmarks again
#   --write        writes the table to docs/developer/benchmarks.tsv, and its main rows with a figure of OpenSM to docs/developer/benchmarks.md
#   --check        runs all in a separate state, and fails if a ratio is more than 20 % worse than in benchmarks.tsv
#   --state DIR    the directory of finished results (default: target/bench)
#   --table FILE   the page with the table, beside which is the .tsv (default: docs/developer/benchmarks.md)
# A benchmark is an executable *.sh in this directory (or in BENCHMARKS). Its line "# all.sh: MINUTES ARGUMENT..." gives its time limit and
# arguments. It appends results to the file RESULTS (measure.sh: result). After an interruption the same call continues with the benchmark
# that was running. A benchmark that fails or exceeds its limit does not end the others.
set -eu
here=$(dirname "$(readlink -f "$0")")
root=$(readlink -f "$here/../..")
benchmarks=${BENCHMARKS:-$here} state=$root/target/bench table=$root/docs/developer/benchmarks.md
action='show' again='' list='' only=()

usage() {
  echo "all.sh: $1; the head of $here/all.sh says what it takes" >&2
  exit 2
}

while [ $# -gt 0 ]; do
  case $1 in
    --list) list=yes ;;
    --again) again=yes ;;
    --write) action='write' ;;
    --check) action=check ;;
    --only | --state | --table)
      [ $# -ge 2 ] || usage "$1 needs a value"
      case $1 in --only) only+=("${2%.sh}") ;; --state) state=$(realpath -m "$2") ;; --table) table=$(realpath -m "$2") ;; esac
      shift ;;
    *) usage "unknown option $1" ;;
  esac
  shift
done

names=()
for script in "$benchmarks"/*.sh; do
  name=$(basename "$script" .sh)
  if [ -x "$script" ] && [ "$name" != all ]; then names+=("$name"); fi
done
[ ${#names[@]} -gt 0 ] || usage "there is no benchmark in $benchmarks"
for name in ${only[@]+"${only[@]}"}; do
  case " ${names[*]} " in *" $name "*) ;; *) usage "there is no benchmark $name, but ${names[*]}" ;; esac
done
[ ${#only[@]} -eq 0 ] || names=("${only[@]}")
[ $action != check ] || state=$state/check

if [ -n "$list" ]; then
  for name in "${names[@]}"; do
    printf '%-14s %s\n' "$name" "$([ -e "$state/$name.done" ] && sed 's/^/finished /' "$state/$name.done" || echo 'to be run')"
  done
  exit 0
fi

# An older build would be recorded under the current commit.
if [ -z "${TORUS_SM:-}${BENCHMARKS:-}" ]; then
  built=$root/daemon/target/torus-sm/lib
  [ -d "$built" ] || { echo "all.sh: there is no $built; build torus-sm (mvn package), or name one with TORUS_SM" >&2; exit 2; }
  newer=$(find "$root" -path '*/src/main/*' -name '*.java' -newer "$built" -print -quit)
  [ -z "$newer" ] || { echo "all.sh: $built is older than $newer; build torus-sm (mvn package), or name one with TORUS_SM" >&2; exit 2; }
fi

mkdir -p "$state"
exec 9>"$state/lock"
flock -n 9 || { echo "all.sh: another one runs with $state; give this one another --state" >&2; exit 2; }
commit=$(git -C "$root" rev-parse --short=8 HEAD 2>/dev/null || echo unknown)
[ -z "$(git -C "$root" status --porcelain --untracked-files=no 2>/dev/null)" ] || commit=$commit+

child=
kill_rest() { # an OpenSM whose simulator ended first keeps running; timeout has its own process group
  kill -KILL -- "-$child" 2>/dev/null || true
}

# shellcheck disable=SC2317 # called by the trap
stop() {
  if [ -n "$child" ]; then
    kill "$child" 2>/dev/null || true
    wait "$child" || true
    kill_rest
  fi
  echo "all.sh: stopped; what is finished is kept in $state, the same call goes on" >&2
  exit 130
}
trap stop INT TERM HUP

run() { # NAME: writes NAME.tsv and NAME.done, or sets why
  local script=$benchmarks/$1.sh minutes=10 arguments=() words code=0
  why=
  read -r -a words <<<"$(sed -n 's/^# all\.sh: *//p' "$script" | head -1)"
  if [ ${#words[@]} -gt 0 ]; then
    minutes=${words[0]} arguments=("${words[@]:1}")
  fi
  rm -f "$state/$1.done" "$state/$1.tsv"
  local load begin=$SECONDS
  load=$(cut -d' ' -f1 /proc/loadavg)
  RESULTS=$state/$1.part
  export RESULTS
  : >"$RESULTS"
  # 9 is the lock, which a process that the benchmark leaves behind must not hold
  timeout --kill-after=10 "${minutes}m" "$script" ${arguments[@]+"${arguments[@]}"} </dev/null >"$state/$1.log" 2>&1 9>&- &
  child=$!
  wait "$child" || code=$?
  kill_rest
  child=
  case $code in
    0)
      mv "$RESULTS" "$state/$1.tsv"
      echo "$(date -u +%F) $commit load $load, $((SECONDS - begin)) s" >"$state/$1.part"
      mv "$state/$1.part" "$state/$1.done"
      ;;
    124 | 137) why="it took more than $minutes minutes" ;;
    *) why="it ended with $code" ;;
  esac
}

failed=()
for name in "${names[@]}"; do
  if [ -e "$state/$name.done" ] && [ -z "$again" ]; then
    echo "$name: finished $(cat "$state/$name.done")" >&2
    continue
  fi
  echo "$name: runs since $(date +%T)" >&2
  run "$name"
  if [ -n "$why" ]; then
    failed+=("$name")
    { echo "$name: FAILED, $why; the end of $state/$name.log:"; tail -n 5 "$state/$name.log" | sed 's/^/    /'; } >&2
  fi
done

verdict=0
python3 "$here/table.py" $action "$table" "$state" "${names[@]}" || verdict=$?
if [ ${#failed[@]} -gt 0 ]; then
  echo "all.sh: failed: ${failed[*]}; the same call tries them again" >&2
  exit 1
fi
if [ $action = check ]; then # the next check is a new run
  for name in "${names[@]}"; do rm -f "$state/$name.done"; done
fi
exit $verdict

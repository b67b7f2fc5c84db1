#!/bin/bash
# Measures the time from a trap to the last table while links and switches of a torus are lost and restored one after the other, from the first
# event of a process on. A few events of OpenSM and torus-sm on ibsim, then many of torus-sm on its embedded fabric (torus-sm fabric), also on
# the other tori that are named.
# The times are from the logs: for OpenSM the lines of the first trap 128 and of SUBNET UP, for torus-sm the times in its line SUBNET UP.
# usage: packaging/bench/reaction.sh [LINKS] [SWITCHES] [TORUS] [LINKS SWITCHES TORUS]... such as: 100 20 10x10x10,hosts=2 10 3 16x16x16,hosts=1
# Needs ibsim-utils, opensm, a built torus-sm. Each event has another link.
# FEW, 4 unless set: links on ibsim that OpenSM loses, and half as many switches; torus-sm five times as many. 0: nothing on ibsim.
# KEEP=DIRECTORY: keeps the logs of the SMs there.
# all.sh: 14 100 20 10x10x10,hosts=2 10 3 16x16x16,hosts=1
set -eu
links=${1:-20} switches=${2:-4} few=${FEW:-4}
self=$(readlink -f "$0") others=("${@:4}")
. "$(dirname "$(readlink -f "$0")")/ibsim-torus.sh" 1 "${3:-10x10x10,hosts=2}"
nodes Switch >switch-names
count=$(wc -l <switch-names)

await_rest() { # LOG UPS: waits for another SUBNET UP and then for 0.4 s without one; fails after a minute
  local since=0 now=$2 limit=$((SECONDS + 60))
  until [ "$now" -gt "$2" ] && [ "$since" -ge 4 ]; do
    [ "$SECONDS" -lt "$limit" ] || { echo "no SUBNET UP within a minute:" >&2; tail -20 "$1" >&2; exit 1; }
    sleep 0.1
    seen=$(ups "$1")
    since=$((seen == now ? since + 1 : 0)) now=$seen
  done
}

# Prints milliseconds of an event in a log: from the first report to the last table, from the first report to SUBNET UP, and of each stage. Sweeps
# that write at most 20 tables only verify, and are left out.
of_torus_sm() {
  awk 'function ms(name) { match($0, name " [0-9.]+"); return int(1000 * substr($0, RSTART + length(name) + 1, RLENGTH) + 0.5) }
    /SUBNET UP.*tables in place/ { match($0, /[0-9]+ table blocks? written/); if (!up || substr($0, RSTART, RLENGTH) + 0 > 20) {
      tables = ms("in place"); a = ms("activate"); up = tables + a; d = ms("discover"); r = ms("route"); p = ms("program") } }
    END { if (up) printf "%d %d %d %d %d %d\n", tables, up, d, r, p, a }'
}

of_opensm() { # its log has no stages
  awk 'function us(t, u, at) { split(t, at, ":"); return (at[1] * 60 + at[2]) * 60000 + at[3] * 1000 + u / 1000 }
    / num:128 / && !trap { trap = us($3, $4) }
    /SUBNET UP/ && trap { up = us($3, $4) - trap }
    END { if (up) printf "- %d\n", up }'
}

event() { # NAME LOG WHAT COMMAND-OF-THE-CONSOLE: a line of times
  local lines=0
  [ ! -f "$2" ] || lines=$(wc -l <"$2")
  before=$(ups "$2")
  echo "$4" >console
  await_rest "$2" "$before"
  tail -n "+$((lines + 1))" "$2" | "of_${1//-/_}" | sed "s/^/$SIM $1 $3 /"
}

one() { # NAME LOG COMMAND...
  begin_one "$@"
  sleep 12 # precomputed plans; a light sweep
  if [ "$name" = torus-sm ]; then many=$our_links whole=$our_switches; else many=$few whole=$(((few + 1) / 2)); fi
  for i in $(seq "$many"); do
    switch=$(sed -n "$((i * 47 % count + 1))p" switch-names)
    event "$name" "$log" link-lost "Unlink \"$switch\"[$((i % 6 + 1))]"
    event "$name" "$log" link-back "ReLink \"$switch\"[$((i % 6 + 1))]"
  done
  for i in $(seq "$whole"); do
    switch=$(sed -n "$((i * 83 % (count - 1) + 2))p" switch-names)
    event "$name" "$log" switch-lost "Unlink \"$switch\""
    event "$name" "$log" switch-back "ReLink \"$switch\""
  done
  stop_all
  [ -z "${KEEP:-}" ] || cp "$log" "$KEEP/reaction-$SIM-$name.log"
}

printf 'force_log_flush TRUE\nsm_priority 0\n' >opensm.conf
our_links=$((5 * few)) our_switches=$(((5 * few + 1) / 2))
if [ "$few" -gt 0 ]; then both one >/dev/null; else touch times; fi
mv times all
simulator=("$sm" fabric dumps/fabric.topo) # shellcheck disable=SC2034
SIM=torus-sm our_links=$links our_switches=$switches
one torus-sm out.txt "$sm" -F torus-sm.conf -Q -R torus-2QoS,no_fallback --torus_config torus-2QoS.conf --state-dir state >times
cat times >>all

percentile() { # PERCENT: of the numbers in standard input; nothing if there are none
  sort -n | awk -v p="$1" '{ v[NR] = $1 } END { if (NR) { at = int((NR * p + 99) / 100); print v[at < 1 ? 1 : at] } }'
}

times_of() { # SIM NAME WHAT COLUMN
  awk -v s="$1" -v n="$2" -v w="$3" -v c="$4" '$1 == s && $2 == n && $3 ~ w && $c != "-" && $c != "" { print $c }' all
}

printf '%-9s %-9s %-12s %6s  %10s %10s %8s   %s\n' fabric SM event events 'last table' '(p50 p99' 'most)' 'p50 of: up, discover, route, program, activate [ms]'
while read -r fabric name what; do
  n=$(times_of "$fabric" "$name" "$what" 5 | wc -l)
  [ "$n" -gt 0 ] || continue
  printf '%-9s %-9s %-12s %6d  %10s %10s %8s   %s\n' "$fabric" "$name" "$what" "$n" "$(times_of "$fabric" "$name" "$what" 4 | percentile 50)" \
    "$(times_of "$fabric" "$name" "$what" 4 | percentile 99)" "$(times_of "$fabric" "$name" "$what" 4 | percentile 100)" \
    "$(for column in 5 6 7 8 9; do times_of "$fabric" "$name" "$what" "$column" | percentile 50; done | paste -sd' ')"
done < <(for fabric in ibsim\ opensm ibsim\ torus-sm torus-sm\ torus-sm; do for what in link-lost link-back switch-lost switch-back .; do echo "$fabric $what"; done; done)
for fabric in ibsim torus-sm; do
  times_of $fabric torus-sm link-lost 4 | head -1 | sed "s/^/first event of the process on $fabric, to the last table [ms]: /"
done

for p in 50 99; do
  result "trap to last table, $torus, all events, embedded fabric, p$p" ms '' "$(times_of torus-sm torus-sm . 4 | percentile $p)"
done
if [ "$few" -gt 0 ]; then
  for what in link-lost link-back switch-lost switch-back; do
    result "trap to SUBNET UP, ${what/-/ }, $torus, ibsim, p50" ms "$(times_of ibsim opensm $what 5 | percentile 50)" "$(times_of ibsim torus-sm $what 5 | percentile 50)"
  done
  for p in 50 99; do
    result "trap to last table, $torus, all events, ibsim, p$p" ms '' "$(times_of ibsim torus-sm . 4 | percentile $p)"
  done
  result "trap to last table, $torus, first event of a process, ibsim" ms '' "$(times_of ibsim torus-sm link-lost 4 | head -1)"
fi
if [ ${#others[@]} -gt 0 ]; then
  FEW=0 SIM='' "$self" "${others[@]}"
fi

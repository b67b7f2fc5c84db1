#!/bin/bash
# Measures the cost of tori for the SM on the embedded fabric in virtual time, with queues of VL 15 (io.torussm.sweep.Scale): SMPs and their
# formulas, time on the wire with 10, 50 and 100 us an SMP, and processor time. Makes tables and plots of the results.
# usage: packaging/bench/scale.sh [TORUS[/US[/reaction]]]...   such as: 8x8x8,hosts=1 32x32x16,hosts=2/50/reaction, a lost cable only
#        (needs Maven or CLASSPATH_OF_BENCH, and python3)
#        packaging/bench/scale.sh --all             all rows of docs/developer/scale.md: two hours, 10 GiB
#        packaging/bench/scale.sh --draw            only the tables and plots of that page, from existing results
# all.sh: 6 8x8x8,hosts=1/50
# Results replace the lines of the same torus and time in SCALE (docs/developer/scale.tsv with --all, otherwise a temporary file).
set -eu
here=$(dirname "$(readlink -f "$0")")
. "$here/measure.sh"
cd "$here/../.."
pages=docs/developer
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

case ${1:-} in
  --draw)
    exec python3 "$here/scale.py" draw "${SCALE:-$pages/scale.tsv}" $pages/scale.md $pages/images
    ;;
  --all)
    measured=${SCALE:-$pages/scale.tsv}
    set -- 4x4x4,hosts=1/{10,50,100} 8x8x8,hosts=1/{10,50,100} 16x16x16,hosts=1/{10,50,100} 24x24x24,hosts=2/50 32x32x16,hosts=2/50
    ;;
  *)
    measured=${SCALE:-$scratch/scale.tsv}
    [ $# -gt 0 ] || set -- 4x4x4,hosts=1/{10,50,100} 8x8x8,hosts=1/{10,50,100}
    ;;
esac

classpath=$(classpath_of_bench)

for case in "$@"; do
  IFS=/ read -r torus us what <<<"$case"
  us=${us:-50}
  case $torus in 24x* | 32x*) heap=10g ;; *) heap=3g ;; esac
  words=("$torus" "$us" 64)
  case $torus/$us in 16x*/50 | 24x*/50 | 32x*/50) words+=(compute) ;; esac # smaller tori take too little time to measure
  [ -z "$what" ] || words+=("$what")
  java -Xmx$heap -XX:+UseSerialGC -cp "$classpath" io.torussm.sweep.Scale "${words[@]}" >"$scratch/out" 2>"$scratch/log" ||
    { cat "$scratch/log" >&2; exit 1; }
  python3 "$here/scale.py" merge "$measured" "$scratch/out" # other lines are the log
  [ -z "$what" ] || continue
  [ "$us" != 50 ] || result "SMPs of a cold sweep, $torus" SMPs '' "$(awk -F'\t' '$6 == "cold sweep" { print $7 }' "$scratch/out")" \
    "$(awk -F'\t' '$6 == "cold sweep" { print $8 }' "$scratch/out")"
  for event in 'cold sweep' 'takeover'; do # the port of the SM passes one SMP at a time
    result "$event in virtual time, $us us an SMP, $torus" s '' "$(awk -F'\t' -v e="$event" '$6 == e { print $10 }' "$scratch/out")" \
      "$(awk -F'\t' -v e="$event" '$6 == e { print $8 * $5 / 1e6 }' "$scratch/out")"
  done
done
python3 "$here/scale.py" show "$measured"
[ "$measured" != $pages/scale.tsv ] || python3 "$here/scale.py" draw "$measured" $pages/scale.md $pages/images

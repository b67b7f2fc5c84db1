#!/bin/bash
# Fuzzes the entry points of tests (*FuzzTest) with Jazzer, which follows the coverage of branches. A line for each target. Inputs that reach
# other code stay in DIRECTORY/TARGET/inputs, where the next run begins. Exit code 1 if one failed: the line names the input, and
# "fuzz.sh keep" puts it beside the test, which repeats it from then on.
# usage: packaging/fuzz.sh [SECONDS [TARGET...]] | packaging/fuzz.sh keep INPUT CLASS
# Environment: FUZZ=DIRECTORY (else target/fuzz), FUZZ_CLASSPATH=classes of all modules and tests, else Maven compiles them.
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."
version=0.30.0
# sanitizers of Jazzer that reject actions of the tests or of Netty
sanitizers=com.code_intelligence.jazzer.sanitizers
disabled=$sanitizers.ServerSideRequestForgery:$sanitizers.UnsafeSanitizer:$sanitizers.UnsafeArrayOutOfBounds
work=${FUZZ:-$PWD/target/fuzz}
modules="mad-transport sm-core daemon"
all="mad.AttributesFuzzTest sa.SaFuzzTest daemon.cli.FilesFuzzTest daemon.console.ConsoleFuzzTest daemon.http.server.RequestsFuzzTest
 daemon.config.EngineFuzzTest"

kept() { # CLASS: its file of inputs
  local file
  for module in $modules; do
    file=$module/src/test/resources/io/torussm/${1//.//}.fuzz
    if [ -e "$file" ]; then echo "$file" && return; fi
  done
  echo "fuzz.sh: no target $1; there are: $all" >&2
  exit 2
}
if [ "${1:-}" = keep ]; then
  { basenc --base16 -w 0 "$2" && echo; } >>"$(kept "$3")"
  exit
fi

seconds=${1:-60}
[ $# -eq 0 ] || shift
mkdir -p "$work"
for jar in jazzer jazzer-api; do # not part of the build, so not in the project's list of checksums
  [ -e "$work/$jar-$version.jar" ] ||
    (cd / && mvn -q -B dependency:copy "-Dartifact=com.code-intelligence:$jar:$version" -DoutputDirectory="$work")
done
(cd "$work" && sha256sum --quiet -c) <<SUMS
8bdeac017bcd3d9473c9772fac62111c4df830188571def1d001a1b743a62b2f  jazzer-$version.jar
d36a725cfedcb7f3590206866cc2836f84d12afccf7c98912f5c720e4d2208d7  jazzer-api-$version.jar
SUMS
if [ -z "${FUZZ_CLASSPATH:-}" ]; then
  mvn -q -B -Dlint.apart -pl daemon -am test-compile dependency:build-classpath -Dmdep.outputFile=target/cp -Dmdep.includeScope=test
  FUZZ_CLASSPATH=daemon/target/test-classes:daemon/target/classes:$(cat daemon/target/cp)
fi

failed=0
# shellcheck disable=SC2086 # a list of words
[ $# -gt 0 ] || set -- $all
for target in "$@"; do
  corpus=$work/$target
  mkdir -p "$corpus/inputs"
  number=0
  while read -r line; do
    number=$((number + 1))
    basenc -d --base16 <<<"$line" >"$corpus/inputs/kept-$number"
  done < <(grep -v '^#' "$(kept "$target")")
  code=0
  java -Xmx1500m -XX:+UseSerialGC -cp "$work/jazzer-$version.jar:$work/jazzer-api-$version.jar:$FUZZ_CLASSPATH" \
    com.code_intelligence.jazzer.Jazzer --target_class="io.torussm.$target" --instrumentation_includes='io.torussm.**' \
    --disabled_hooks="$disabled" --reproducer_path="$corpus" \
    -artifact_prefix="$corpus/" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=4000 -max_len=4000 -print_final_stats=1 \
    "$corpus/inputs" >"$corpus/log" 2>&1 || code=$?
  awk -v target="$target" '/ cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") cov = $(i + 1) } /number_of_executed_units/ { n = $2 }
    END { printf "%-40s %9d inputs, %6d branches", target, n, cov }' "$corpus/log"
  if [ $code -eq 0 ]; then
    echo
  else
    failed=1
    echo "; FAILED: $(grep -m 1 -A 1 -E '== Java Exception|ERROR: libFuzzer' "$corpus/log" | tail -n 1), $(sed -n 's/.*Test unit written to //p' "$corpus/log")"
  fi
done
exit $failed

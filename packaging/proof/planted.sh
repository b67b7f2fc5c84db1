#!/bin/bash
# Plants one fault at a time in a copy of the rules of mastership and checks its traces against the model. Prints a line for each fault: the
# traces that the model rejects, and the seeds that fail without the model. Exit code 1 if the model accepts all traces of a fault.
# usage: packaging/proof/planted.sh [SEEDS]   (of each campaign, else 1,000; needs spin, gcc, patch)
# Environment: PLANTED_CLASSPATH=classes of sm-core and its tests, else Maven compiles them.
set -eu
top=$(readlink -f "$(dirname "$(readlink -f "$0")")/../..")
seeds=${1:-1000}
for program in spin gcc patch; do
  command -v $program >/dev/null || { echo "$program is missing: apt-get install spin gcc patch" >&2; exit 2; }
done
if [ -z "${PLANTED_CLASSPATH:-}" ]; then
  (cd "$top" && mvn -q -B -Dlint.apart -pl sm-core -am test-compile dependency:build-classpath -Dmdep.outputFile=target/cp -Dmdep.includeScope=test)
  PLANTED_CLASSPATH=$top/sm-core/target/test-classes:$top/sm-core/target/classes:$(cat "$top/sm-core/target/cp")
fi
rules=sm-core/src/main/java/io/torussm/mastership
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

judge() { # NAME: prints the outcome of the classes in $work/classes
  printf '%-40s ' "$1"
  (cd "$top/sm-core" && java -ea -XX:+UseSerialGC -cp "$work/classes:$PLANTED_CLASSPATH" io.torussm.mastership.TracedSeeds "$seeds" "$work") | tee "$work/said"
}
mkdir "$work/classes"
judge none
grep -q ' 0 rejected' "$work/said" || exit 1
missed=0
for patch in "$top"/sm-core/src/test/resources/mastership/planted/*.patch; do
  rm -rf "$work/sm-core" "$work/classes"
  mkdir -p "$work/$rules" "$work/classes"
  cp "$top/$rules"/*.java "$work/$rules"
  patch -s -d "$work" -p1 <"$patch"
  javac -nowarn -proc:none -cp "$PLANTED_CLASSPATH" -d "$work/classes" "$work/$rules"/*.java
  judge "$(basename "$patch" .patch)"
  ! grep -q ' 0 rejected' "$work/said" || missed=1
done
exit $missed

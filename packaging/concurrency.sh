#!/bin/bash
# Explores interleavings of threads that share an object with Lincheck, and prints the outcomes of each scenario with their numbers.
# Exit code 1 if an interleaving contradicts a scenario (packaging/concurrency); the log shows it step by step.
# usage: packaging/concurrency.sh [INTERLEAVINGS [SCENARIO...]]   (else 300, and all)
# Environment: CONCURRENCY=DIRECTORY (else target/concurrency), CONCURRENCY_CLASSPATH=classes of sm-core and its tests, else Maven
# compiles them.
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."
version=3.4
work=${CONCURRENCY:-$PWD/target/concurrency}
interleavings=${1:-300}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- views requests received paced closed recorded dropped
mkdir -p "$work/lib" "$work/classes"
if [ ! -e "$work/lib/lincheck-$version.jar" ]; then # not part of the build, so not in the project's list of checksums
  cat >"$work/pom.xml" <<POM
<project><modelVersion>4.0.0</modelVersion><groupId>torus-sm</groupId><artifactId>concurrency</artifactId><version>1</version>
<dependencies><dependency><groupId>org.jetbrains.lincheck</groupId><artifactId>lincheck</artifactId><version>$version</version>
</dependency></dependencies></project>
POM
  (cd "$work" && mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib)
fi
(cd "$work/lib" && sha256sum --quiet -c) <packaging/concurrency/lincheck.sha256
if [ -z "${CONCURRENCY_CLASSPATH:-}" ]; then
  mvn -q -B -Dlint.apart -pl sm-core -am test-compile dependency:build-classpath -Dmdep.outputFile=target/cp -Dmdep.includeScope=test
  CONCURRENCY_CLASSPATH=sm-core/target/test-classes:sm-core/target/classes:$(cat sm-core/target/cp)
fi
libraries=$(printf '%s:' "$work"/lib/*.jar)$CONCURRENCY_CLASSPATH
find packaging/concurrency -name '*.java' -print0 | xargs -0 javac --release 17 -proc:none -cp "$libraries" -d "$work/classes"

failed=0
for scenario in "$@"; do
  code=0
  java -XX:+UseSerialGC -cp "$work/classes:$libraries" io.torussm.Interleavings "$interleavings" "$scenario" >"$work/$scenario.log" 2>&1 || code=$?
  sed -n 's/^scenario //p' "$work/$scenario.log"
  sed -n 's/^outcome //p' "$work/$scenario.log" | sort | uniq -c
  if [ $code -ne 0 ] || grep -q 'Exception in thread' "$work/$scenario.log"; then
    failed=1
    echo "FAILED: $work/$scenario.log"
  fi
done
exit $failed

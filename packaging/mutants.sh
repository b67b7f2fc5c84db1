#!/bin/bash
# Mutates classes with PIT, and runs the tests that reach each mutant. Prints a line for each group: mutants, and how many were killed. The
# survivors are listed in DIRECTORY/GROUP/survivors, by class, line and mutation; mutants-survivors.tsv has the accepted ones. Exit code 1 if PIT
# failed.
# usage: packaging/mutants.sh [GROUP...]   (else all groups)
# Environment: MUTANTS=DIRECTORY (else target/mutants), MUTANTS_CLASSPATH=classes of all modules and tests, else Maven compiles them,
# MUTANTS_THREADS=2.
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."
work=$(realpath -m "${MUTANTS:-target/mutants}")
modules="mad-transport sm-core routing-torus2qos qos daemon"

# shellcheck disable=SC2034 # read by name
{
  proof='deadlock.* proof.* !deadlock.chain.* !deadlock.growth.* !deadlock.transition.*'
  proof_tests='deadlock.*Test torus2qos.*Proof*Test torus2qos.*Deadlock*Test daemon.cli.ProveCommandTest'
  order='deadlock.transition.* program.table.ForwardingSteps program.table.DrainTime program.table.PlanWrites'
  order_tests='deadlock.transition.*Test program.table.*Test sweep.SmpFormulasTest sweep.SweeperTest sweep.TakeoverReadingTest
    sweep.MulticastSweepTest sweep.MulticastChangeTest sweep.PortStateTableTest'
  mastership='mastership.*'
  mastership_tests='mastership.*Test daemon.DeadStandbyTest daemon.SeveralSmsTest daemon.SmsOfOtherOwnersTest'
  last_resort='deadlock.chain.* deadlock.growth.*'
  last_resort_tests='deadlock.*Test sweep.idle.ReadyPlansTest'
  tables='program.table.* !program.table.ForwardingSteps !program.table.DrainTime !program.table.PlanWrites'
  tables_tests='program.*Test sweep.SmpFormulasTest sweep.Sl2VlWildcardsTest sweep.MulticastSweepTest sweep.TakeoverReadingTest
    sweep.MulticastChangeTest sweep.PortStateTableTest sweep.UnsteadySwitchTest'
  registration='registration.*'
  registration_tests='registration.*Test sa.*Test'
}
groups="proof order mastership last_resort tables registration"

mkdir -p "$work"
if [ ! -d "$work/lib" ]; then # not part of the build, so not in the project's list of checksums
  cat >"$work/pom.xml" <<'POM'
<project><modelVersion>4.0.0</modelVersion><groupId>torus-sm</groupId><artifactId>mutants</artifactId><version>1</version><dependencies>
<dependency><groupId>org.pitest</groupId><artifactId>pitest-command-line</artifactId><version>1.30.2</version></dependency>
<dependency><groupId>org.pitest</groupId><artifactId>pitest-junit5-plugin</artifactId><version>1.2.3</version>
<exclusions><exclusion><groupId>org.junit.platform</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency>
<dependency><groupId>org.junit.platform</groupId><artifactId>junit-platform-launcher</artifactId><version>1.14.4</version>
<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency>
</dependencies></project>
POM
  rm -rf "$work/lib.part"
  (cd "$work" && mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib.part)
  mv "$work/lib.part" "$work/lib"
fi
(cd "$work/lib" && sha256sum --quiet -c) <packaging/mutants.sha256
if [ -z "${MUTANTS_CLASSPATH:-}" ]; then
  mvn -q -B -Dlint.apart -pl daemon -am test-compile dependency:build-classpath -Dmdep.outputFile=target/cp -Dmdep.includeScope=test
  MUTANTS_CLASSPATH=$(for module in $modules; do printf '%s:' "$PWD/$module/target/classes" "$PWD/$module/target/test-classes"; done)$(cat daemon/target/cp)
fi
tr : '\n' <<<"$MUTANTS_CLASSPATH:$(echo "$work"/lib/junit-platform-launcher-*.jar)" | grep . >"$work/classpath" # Surefire brings its own
mutable=$(grep -E '/(target/classes|main)$' "$work/classpath" | paste -sd,) # tests are not mutated
sources=$(for module in $modules; do printf '%s,' "$PWD/$module/src/main/java"; done)

of() { # NAME of a group's list, and PREFIX "" or "!": the names with (or without) "!", as PIT takes them
  local list=$1 name
  for name in ${!list}; do
    case $2$name in '!!'*) printf ',io.torussm.%s' "${name#!}" ;; '!'* | *'!'*) ;; *) printf ',io.torussm.%s' "$name" ;; esac
  done | cut -c 2-
}

failed=0
set -f # lists contain stars
# shellcheck disable=SC2086 # a list of words
[ $# -gt 0 ] || set -- $groups
for group in "$@"; do
  case " $groups " in *" $group "*) ;; *) echo "mutants.sh: no group $group; there are: $groups" >&2 && exit 2 ;; esac
  report=$work/$group
  mkdir -p "$report"
  code=0
  # tests read files by paths that are relative to their module
  (cd sm-core && java -cp "$work/lib/*:$MUTANTS_CLASSPATH" org.pitest.mutationtest.commandline.MutationCoverageReport \
    --classPathFile "$work/classpath" --includeLaunchClasspath=false --useClasspathJar=true --sourceDirs "$sources" --reportDir "$report" \
    --mutableCodePaths "$mutable" --targetClasses "$(of "$group" '')" --excludedClasses "io.torussm.Nothing$(of "$group" '!' | sed 's/^./,&/')" \
    --targetTests "$(of "${group}_tests" '')" --excludedGroups campaign,interop,slow --outputFormats CSV --threads "${MUTANTS_THREADS:-2}" \
    --jvmArgs=-Xmx2g,-ea,-XX:TieredStopAtLevel=1,-XX:+UseSerialGC,-Dtest.log.level=ERROR --timeoutConst 8000 --skipFailingTests=true) \
    >"$report/log" 2>&1 || code=$?
  # FILE, class, mutator, method, line, status, test
  awk -F , '$6 == "SURVIVED" || $6 == "NO_COVERAGE" { n = split($3, m, "."); print $6, $2 "." $4 ":" $5, m[n] }' "$report/mutations.csv" |
    sort >"$report/survivors" || code=1
  awk -F , -v group="$group" '{ all++; of[$6]++ }
    END { killed = of["KILLED"] + of["TIMED_OUT"]; failed = all - killed - of["SURVIVED"] - of["NO_COVERAGE"]
      if (all) printf "%-12s %5d mutants, %5d killed (%.1f %%), %4d not reached, %d that could not run\n", group, all, killed,
        100 * killed / all, of["NO_COVERAGE"], failed }' \
    "$report/mutations.csv" || code=1
  if [ $code -ne 0 ]; then
    failed=1
    echo "$group: FAILED: $report/log"
  fi
done
exit $failed

#!/bin/bash
# Runs all checks and tests before a change is accepted, also those with ibsim, ibutils and infiniband-diags and those of the
# packages, but no campaigns. 20 minutes on two cores. Arguments are passed to Maven.
# Prints failed tests and the end of their log, reasons of skipped tests, libraries with newer releases, and on the last line
# "N passed, N failed, N skipped". A failed build and a faulty package count as one failure each.
set -eu -o pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. packaging/prerequisites.sh
# shellcheck disable=SC2086 # lists of words
require_packages $build_packages $test_packages $check_packages

work=$(mktemp -d)
stage() { echo "$(date +%T) $((SECONDS / 60)) min: $1"; }
trap 'rm -rf "$work"' EXIT
reports() { find . -path '*/target/surefire-reports/*TEST-*.xml' | sort; }
count() { # ATTRIBUTE: the sum over all test classes
  reports | xargs -r sed -n "s/^<testsuite .* $1=\"\([0-9]*\)\".*/\1/p" | awk '{ n += $1 } END { print n + 0 }'
}
logs_of_failures() {
  reports | { xargs -r grep -lE '^<testsuite .* (errors|failures)="[1-9]' || true; } | while read -r report; do
    log=${report/TEST-/}
    log=${log%.xml}-output.txt
    [ -s "$log" ] || continue
    printf '\n--- the end of %s\n' "$log"
    tail -n 100 "$log"
  done
}
reasons_of_skips() { # from the attribute or the text of the element
  reports | xargs -r sed -n -e 's/.*<skipped message="\([^"]*\)".*/skipped: \1/p' \
    -e 's/.*<skipped .*: Assumption failed: \([^]]*\).*/skipped: \1/p' |
    sed -e 's/&quot;/"/g; s/&apos;/'"'"'/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' | sort | uniq -c
}

find . -path '*/target/surefire-reports' -prune -exec rm -r {} +
# Error Prone takes most of the time of a compilation on one core, so a copy is compiled with it while tests run.
lint() {
  mkdir "$work/lint"
  tar -cf - --exclude=./.git --exclude=target . | tar -xf - -C "$work/lint"
  cd "$work/lint"
  exec mvn --batch-mode -Pbench -Dspotless.check.skip=true test-compile "$@" -Dmaven.repo.local="$work/repository" 2>&1
}
# Maven uses only the files that .mvn/checksums lists. Failed tests do not end the build, so all tests run; a test process that dies is
# only reported.
stage "checking the libraries and plugins of Maven"
usual=$(packaging/checksums.sh repository "$@")
built=false
if packaging/checksums.sh fill "$usual" "$work/repository"; then
  stage "Error Prone, NullAway and lint in a copy, beside the build and its tests"
  lint "$@" >"$work/lint.log" &
  linter=$!
  trap 'kill "$linter" 2>/dev/null || true; rm -rf "$work"' EXIT
  if mvn -q --batch-mode -Pbench,thorough -Dlint.apart -Dmaven.test.failure.ignore=true verify "$@" \
    -Dmaven.repo.local="$work/repository" 2>&1 | sed -u 's/\x1b\[[0-9;]*m//g' | tee "$work/build.log"; then built=true; fi
  wait "$linter" || { built=false && { grep -A 4 -E "^\[(WARNING|ERROR)\]" "$work/lint.log" || true; }; }
fi
stage "checking the libraries and plugins again"
if packaging/checksums.sh check "$work/repository"; then
  { mkdir -p "$usual" && cp -rn "$work/repository/." "$usual"; } 2>/dev/null || true # downloads are kept
else
  built=false
fi
failed=$(($(count errors) + $(count failures)))
skipped=$(count skipped)
passed=$(($(count tests) - failed - skipped))
logs_of_failures
reasons_of_skips
stage "asking for newer libraries"
packaging/newer.sh # a report that never fails
if [ $built = false ] || { [ $failed -eq 0 ] && grep -q '^\[ERROR\]' "$work/build.log"; }; then
  echo "the build failed"
  failed=$((failed + 1))
elif stage "building and checking the package" && ! packaging/check-deb.sh; then
  echo "the package is not in order"
  failed=$((failed + 1))
fi
# A commit of comments must not change classes. Only the changed sources are compiled, without Error Prone: seconds.
if $built && [[ $(git log -1 --format=%s 2>/dev/null) == words:* ]] && git rev-parse -q --verify HEAD^ >/dev/null &&
  ! MAVEN_REPOSITORY=$work/repository packaging/same-classes.sh HEAD; then
  echo "a commit of comments (area words) changes classes"
  failed=$((failed + 1))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]

#!/bin/bash
# Builds the last commit twice in different directories, time zones and languages, and compares all jars and all files of a release byte by
# byte. Both builds use umask 022, because the jar plugin records the modes of files. Exit code 0 if they are equal. A few minutes; all
# temporary files are removed.
# usage: packaging/reproducible.sh [MAVEN OPTION]... such as: -o
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

build() { # DIRECTORY MAVEN OPTION...: leaves the checksums of what it built in sums
  mkdir -p "$work/$1"
  git archive HEAD | tar -x -C "$work/$1"
  (
    cd "$work/$1"
    mvn -q --batch-mode -DskipTests "${@:2}" package
    packaging/release.sh >/dev/null
    find . \( -path '*/target/*.jar' -o -path './daemon/target/torus-sm/*' -o -path './daemon/target/release/*' \) -type f -exec sha256sum {} + |
      sort -k 2 >sums
  )
}
umask 022
(export TZ=UTC && build one "$@")
(export TZ=Pacific/Apia LANG=tr_TR.UTF-8 MAVEN_OPTS='-Duser.language=tr -Duser.country=TR' && build another/one "$@")
wc -l <"$work/one/sums" | sed 's/$/ files/'
diff "$work/one/sums" "$work/another/one/sums" || { echo "two builds differ"; exit 1; }
grep -h '/release/' "$work/one/sums"
echo "two builds are the same"

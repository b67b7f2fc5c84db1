#!/bin/bash
# Compares the classes of two commits, built without debug information: they are identical if a commit changes comments
# only. Compiles the main sources that differ, each against the sources of its own commit and the jars of the local Maven
# repository (MAVEN_REPOSITORY, or ~/.m2/repository). A few seconds for a few dozen files.
# Prints the classes that differ. Exit code: 0 identical, 1 different, 2 a source does not compile.
# usage: packaging/same-classes.sh COMMIT [COMMIT]   one commit is compared with its parent
set -eu -o pipefail
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  sed -n 's/^# usage: /usage: /p' "$0" >&2
  exit 2
fi
commit() { git rev-parse --verify --quiet "$1^{commit}" || { echo "no such commit: $1" >&2; exit 2; }; }
if [ $# = 1 ]; then old=$(commit "$1^") new=$(commit "$1"); else old=$(commit "$1") new=$(commit "$2"); fi
list=$(dirname "$(readlink -f "$0")")/libraries.txt
cd "$(git rev-parse --show-toplevel)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

repository=${MAVEN_REPOSITORY:-$HOME/.m2/repository}
[ -d "$repository" ] || { echo "no local Maven repository: $repository" >&2; exit 2; }
find "$repository" -name '*.jar' | awk -F / 'NR == FNR { listed[$0]; next } $NF in listed' \
  <(awk '!/^#/ { print $2 }' "$list") - | sort >"$work/jars"

changed() { # FILTER: main sources of one side
  git diff --no-renames --name-only --diff-filter="$1" "$old" "$new" -- '*/src/main/java/*.java'
}
build() { # COMMIT DIRECTORY FILTER
  mkdir -p "$2/classes"
  changed "$3" >"$2/files"
  [ -s "$2/files" ] || return 0
  git archive "$1" -- ':(glob)*/src/main/java/**' | tar -xf - -C "$2"
  (cd "$2" && javac -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 -g:none -nowarn -proc:none -implicit:none --release 17 \
    -XDstringConcat=inline -sourcepath "$(printf '%s:' */src/main/java)" -cp "$(paste -sd : "$work/jars")" \
    -d classes @files) >"$2/log" 2>&1 || { cat "$2/log" >&2; exit 2; }
}
build "$old" "$work/old" DM &
build "$new" "$work/new" AM
wait $!
diff -rqN "$work/old/classes" "$work/new/classes" >"$work/differences" ||
  { sed -e "s|$work/old|${old:0:8}|g" -e "s|$work/new|${new:0:8}|g" "$work/differences"; exit 1; }
echo "$(wc -l <"$work/new/files") sources, identical classes"

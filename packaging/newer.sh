#!/bin/bash
# Lists the libraries of packaging/libraries.txt that have a newer release on Maven Central: the version here, the newest of the same major
# version, and the newest of all. Read the release notes before an update. Without a network it prints a notice. The exit code is always 0.
# usage: packaging/newer.sh [URL of a repository with the layout of Maven Central]
set -u
repository=${1:-https://repo1.maven.org/maven2}
list=$(dirname "$(readlink -f "$0")")/libraries.txt

releases() { # GROUP ARTIFACT: oldest first; nothing if the repository does not answer
  curl -sf --max-time 10 --max-filesize 1000000 "$repository/${1//.//}/$2/maven-metadata.xml" |
    sed -n 's/.*<version>\([0-9][0-9A-Za-z.+-]*\)<.*/\1/p' | grep -viE '[.-](alpha|beta|rc|cr|m|ea|b)[.-]?[0-9]*$' | sort -V
}
look() { # GROUP JAR
  local artifact=${2%-native.jar} here all major newest
  artifact=${artifact%.jar}
  here=${artifact##*-}
  artifact=${artifact%-*}
  all=$(releases "$1" "$artifact")
  newest=$(tail -n 1 <<<"$all")
  major=$(grep "^${here%%.*}\." <<<"$all" | tail -n 1)
  if [ -z "$all" ]; then
    echo "? $artifact $here: $repository does not say"
  elif [ "$(printf '%s\n' "$newest" "$here" | sort -V | tail -n 1)" != "$here" ]; then
    echo "newer $artifact $here: ${major:-none} is the newest ${here%%.*}.x, $newest the newest"
  fi
}
export -f look releases
export repository

if [ -z "$(releases org.slf4j slf4j-api)" ]; then
  echo "whether there are newer libraries is not known: no answer from $repository"
  exit 0
fi
# Artifacts of one group and version are released together, so one request for each group and version is enough.
awk '!/^#/ { jar = $2; version = jar; sub(/-native.jar$|.jar$/, "", version); sub(/.*-/, "", version)
  if (!seen[$NF version]++) print $NF, jar }' "$list" |
  xargs -P 4 -L 1 bash -c 'look "$@"' look | sort

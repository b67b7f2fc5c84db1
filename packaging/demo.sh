#!/bin/sh
# Builds torus-sm, which then manages an embedded 6 x 5 torus with two hosts at each switch and writes all its tables.
# usage: packaging/demo.sh [TOPOLOGY [OPTIONS]]   such as torus:4x4x4,hosts=1 -v
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."
. packaging/prerequisites.sh
# shellcheck disable=SC2086 # a list of words
require_packages $build_packages

if [ $# -eq 0 ]; then
  topology=torus:6x5x1,hosts=2
  set -- --explain host-0-0-0-0,host-2-1-0-1 --explain host-4-3-0-0,host-0-0-0-0 --explain sw-5-4-0,sw-0-0-0
else
  topology=$1
  shift
fi
out=$(mktemp -d "${TMPDIR:-/tmp}/torus-sm-demo.XXXXXX")

if [ -z "$(find daemon/target/torus-sm/lib -name 'daemon-*.jar' -newer pom.xml 2>/dev/null)" ] ||
  [ -n "$(find . -name '*.java' -newer daemon/target/torus-sm/lib -print -quit)" ]; then
  echo "building ..."
  mvn -q -DskipTests package
fi

echo "torus-sm on $topology:"
daemon/target/torus-sm/bin/torus-sm --once --simulate "$topology" -R torus-2QoS -Q \
  --state-dir "$out/state" --dump-dir "$out/dumps" --capture "$out/mads.pcap" \
  "$@"

echo
echo "the tables, as other tools read them: $out/dumps"
ls -l "$out/dumps"
if command -v ibdmchk >/dev/null 2>&1; then
  echo
  echo "what ibdmchk makes of them:"
  # ibdmchk of Debian 12 crashes after its verdict, also with OpenSM's files.
  (cd "$out/dumps" && ibdmchk -s opensm-subnet.lst -f opensm.fdbs -m opensm.mcfdbs \
    -c opensm-path-sl.dump -d opensm-sl2vl.dump >../ibdmchk.txt 2>&1 || true) 2>/dev/null
  grep -E 'credit loops|^-[EW]-|Defined' "$out/ibdmchk.txt"
fi

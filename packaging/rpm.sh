#!/bin/bash
# Builds the RPMs torus-sm and torus-sl, the latter for this architecture, from daemon/target/torus-sm, which "mvn package" assembles,
# and prints their names. Needs rpm, gcc and libibverbs-dev. The same sources and compiler give the same bytes.
# usage: packaging/rpm.sh [VERSION [DIRECTORY]]; without them the version of pom.xml, in daemon/target
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."
. packaging/files.sh
check_distribution

work=$(mktemp -d "${TMPDIR:-/tmp}/torus-sm-rpm.XXXXXX")
trap 'rm -rf "$work"' EXIT
list() { # TREE: prints its files and its own directories in the format of a spec
  (cd "$1" && find . \( ! -type d -printf '/%P\n' \) -o \( -path '*/torus-s[lm]*' -printf '%%dir /%P\n' \)) | LC_ALL=C sort -k 2 |
    sed -e 's:^/etc/:%config(noreplace) &:' -e 's:^/usr/share/\(doc\|man\)/:%doc &:'
}
lay_out() { # NAME ARGUMENT
  root=$work/$1
  mkdir "$root"
  "put_${1//-/_}" "$2"
  same_times
  list "$root" >"$root.files"
}
lay_out torus-sm usr/lib
lay_out torus-sl usr/lib64

# Fixed or left out, because they depend on the building machine: its name, build-ids, the changes of strip.
rpmbuild -bb --quiet --define "_topdir $work" --define "_rpmdir $work/rpms" --define "torus_version $version" \
  --define "torus_trees $work" \
  --define "torus_date $(LC_ALL=C date -u -d "@$SOURCE_DATE_EPOCH" '+%a %b %d %Y')" --define "torus_arch $(rpm --eval '%_arch')" --define '_buildhost localhost' \
  --define 'use_source_date_epoch_as_buildtime 1' --define 'clamp_mtime_to_source_date_epoch 1' --define '_build_id_links none' \
  --define '__os_install_post %nil' --define 'debug_package %nil' --define '_binary_payload w6.xzdio' \
  packaging/rpm/torussm.spec >"$work/log" 2>&1 || { cat "$work/log" >&2 && exit 1; }
directory=${2:-daemon/target}
for rpm in "$work"/rpms/*/*.rpm; do
  cp "$rpm" "$directory"
  echo "$directory/${rpm##*/}"
done

#!/bin/bash
# Builds all files of a release from daemon/target/torus-sm, the output of "mvn package", and lists them: Debian packages, RPMs, a tarball of
# the program for other systems, the documentation as a static site, the bill of materials, the second verifier of certificates, the
# changes, and SHA256SUMS. Equal sources give equal bytes (packaging/reproducible.sh). Nothing is signed or published.
# usage: packaging/release.sh [VERSION [DIRECTORY]]   (default: the version of pom.xml and daemon/target/release, which is emptied)
set -eu -o pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. packaging/prerequisites.sh
# shellcheck disable=SC2086,SC2154 # a list of words
require_packages $release_packages
. packaging/files.sh
check_distribution
out=${2:-daemon/target/release}
rm -rf "$out"
mkdir -p "$out"
work=$(mktemp -d "${TMPDIR:-/tmp}/torus-sm-release.XXXXXX")
trap 'rm -rf "$work"' EXIT
tarball() { # NAME: a directory of $work
  tar --create --directory="$work" --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    --mtime="@$SOURCE_DATE_EPOCH" "$1" | gzip -9n >"$out/$1.tar.gz"
}

packaging/deb.sh "$version" "$out" >/dev/null
packaging/deb-shim.sh "$version" "$out" >/dev/null
packaging/rpm.sh "$version" "$out" >/dev/null
cp -a "$distribution" "$work/torus-sm-$version"
rm -rf "$work/torus-sm-$version/archive"
tarball "torus-sm-$version"
packaging/site.py "$work/torus-sm-docs-$version"
tarball "torus-sm-docs-$version"
packaging/sbom.sh "$version" "$distribution"/lib/*.jar >"$out/torus-sm-$version.cdx.json"
cp packaging/verify-certificate.py CHANGELOG.md "$out"
(cd "$out" && sha256sum -- * >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" .)
find "$out" -type f -printf '%10s %f\n' | sort -k 2

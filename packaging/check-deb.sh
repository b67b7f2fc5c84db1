#!/bin/bash
# Builds the Debian package twice from the output of "mvn package" and checks it: equal bytes, required files, units, manual pages,
# completion, maintainer scripts, and the scripts of this directory. Then the package torus-sl.
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."
. packaging/prerequisites.sh
# shellcheck disable=SC2086 # a list of words
require_packages $check_packages gcc libc6-dev libibverbs-dev
fail() {
  echo "${0##*/}: $*" >&2
  exit 1
}
quietly() { # COMMAND...: must succeed without output
  local said
  said=$("$@" 2>&1) || fail "$* failed: $said"
  [ -z "$said" ] || fail "$*: $said"
}

root=$(mktemp -d)
beside=$(mktemp -d)
trap 'rm -rf "$root" "$beside"' EXIT
# In parallel, because each uses one processor: the second build, and then lintian.
version=$(packaging/version.sh)
packaging/deb.sh "$version" "$beside" >"$beside/name" &
other=$!
deb=$(packaging/deb.sh)
wait "$other" || fail "the package cannot be built twice"
cmp -s "$deb" "$(cat "$beside/name")" || fail "two builds differ"
lintian --allow-root --fail-on error "$deb" >"$beside/lintian" 2>&1 &
lintian=$!
dpkg-deb -x "$deb" "$root"
dpkg-deb -e "$deb" "$root/DEBIAN"
for file in usr/sbin/torus-sm usr/sbin/torus-smctl etc/torus-sm/torus-sm.conf etc/logrotate.d/torus-sm \
  lib/systemd/system/torus-sm.service lib/systemd/system/torus-sm@.service lib/udev/rules.d/90-torus-sm.rules \
  usr/share/man/man8/torus-sm.8.gz usr/share/man/man8/torus-smctl.8.gz usr/share/man/man5/torus-sm.conf.5.gz usr/bin/torus-fabric usr/share/man/man1/torus-fabric.1.gz \
  usr/share/torus-sm/bin/torus-archive usr/share/torus-sm/archive usr/share/torus-sm/verify-certificate.py usr/share/doc/torus-sm/operating.md usr/share/doc/torus-sm/torus-sm.cdx.json; do
  [ -e "$root/$file" ] || fail "$file is not in $deb"
done
# Every link of a page leads to a file of the package.
for page in "$root"/usr/share/doc/torus-sm/*.md; do
  while read -r target; do
    [ -e "$root/usr/share/doc/torus-sm/$target" ] || fail "${page##*/} links to $target, which is not in $deb"
  done < <(grep -o '](\([^)#:]*\)' "$page" | sed 's/^](//; /^$/d')
done
[ -z "$(find "$root/var" "$root/run" 2>/dev/null)" ] || fail "state belongs to no package"
[ "$(wc -l <"$root/usr/share/torus-sm/verify-certificate.py")" -le 240 ] || fail "the second verifier has more than 240 lines"
[ -z "$(find "$root/usr/lib/torus-sm" -type f)" ] || fail "an archive of classes belongs to no package"
grep -q '^interest-noawait /usr/lib/jvm$' "$root/DEBIAN/triggers" || fail "no trigger for another JVM"
for script in postinst prerm postrm; do quietly sh -n "$root/DEBIAN/$script"; done
for word in torus-sm torus-smctl torus-fabric; do quietly bash -n "$root/usr/share/bash-completion/completions/$word"; done

for page in packaging/man/*.[158]; do
  quietly groff -man -ww -b -z -Tutf8 -K utf8 "$page"
  quietly mandoc -T lint -W warning "$page"
done
# The archive of classes: it is made and used, and the program starts without a valid one.
within=$root/usr/share/torus-sm
starts() { # prints how many classes come from jars
  "$within/bin/torus-sm" --once -R updn --simulate torus:3x3x1,hosts=1 >"$root/said" 2>"$root/complaints" || fail "no start: $(cat "$root/complaints")"
  [ ! -s "$root/complaints" ] && grep -q 'SUBNET UP' "$root/said" || fail "a start says $(cat "$root/complaints" "$root/said")"
  JAVA_OPTS=-Xlog:class+load "$within/bin/torus-sm" --version | grep -c 'source: file:' || true
}
quietly "$within/bin/torus-archive"
from_jars=$(starts)
[ "$from_jars" -lt 20 ] || fail "$from_jars classes are not in the archive"
touch "$within"/lib/daemon-*.jar
[ "$(starts)" -gt 100 ] || fail "the archive is used though a jar is another one"
for archive in "$within"/archive/*.jsa; do head -c 1000000 /dev/urandom >"$archive"; done
[ "$(starts)" -gt 100 ] || fail "a damaged archive is used"
rm -f "$within"/archive/*.jsa "$root/said" "$root/complaints"

# As installed: without a configured engine the program starts on every fabric.
conf=$root/etc/torus-sm/torus-sm.conf
[ -z "$(grep -v '^#' "$conf" | tr -d '\n')" ] || fail "torus-sm.conf sets something: $(grep -v '^#' "$conf")"
for fabric in torus:3x3x1,hosts=1 tree:4,2; do
  "$within/bin/torus-sm" --once -F "$conf" --simulate "$fabric" --state-dir "$root/state" >"$root/said" 2>&1 || true
  grep -q 'SUBNET UP' "$root/said" || fail "as installed, on $fabric: $(cat "$root/said")"
done
rm -r "$root/state" "$root/said"

# The unit names only files of the package and units of systemd.
mkdir -p "$root/bin" && cp /bin/kill "$root/bin/"
cp /lib/systemd/system/*.target /lib/systemd/system/*.slice /lib/systemd/system/tmp.mount "$root/lib/systemd/system/" 2>/dev/null || true
for unit in torus-sm.service torus-sm@0x1.service; do
  said=$(systemd-analyze verify --man=no --root="$root" "$unit" 2>&1 | grep 'torus-sm' || true)
  [ -z "$said" ] || fail "systemd-analyze verify: $said"
done
said=$(systemd-analyze security --offline=true --root="$root" --no-pager torus-sm.service 2>&1 | tail -n 1)
exposure=$(echo "$said" | sed -n 's/.*: \([0-9]*\)\.[0-9] .*/\1/p')
[ "${exposure:-9}" -lt 3 ] || fail "systemd-analyze security: $said"

shim=$(packaging/deb-shim.sh)
first=$(sha256sum <"$shim")
packaging/deb-shim.sh >/dev/null
[ "$first" = "$(sha256sum <"$shim")" ] || fail "two builds of $shim differ"
dpkg-deb -x "$shim" "$root/shim"
library=$(find "$root/shim" -name libtorus-sl.so)
said=$(LD_PRELOAD=$library LD_BIND_NOW=1 TORUS_SL_MAP=/none /bin/true 2>&1) || fail "$library cannot be preloaded: $said"
[ -z "$said" ] || fail "$library says: $said"
said=$(lintian --allow-root --fail-on error "$shim" 2>&1) || fail "lintian found errors: $said"

quietly shellcheck -x -s sh packaging/deb/postinst packaging/deb/prerm packaging/deb/postrm
quietly shellcheck -S warning -x -P packaging/bin packaging/bin/torus-archive
quietly shellcheck -S warning -x packaging/*.sh packaging/kernel-lab/*.sh packaging/bin/torus-fabric
wait "$lintian" || fail "lintian found errors: $(cat "$beside/lintian")"
echo "$deb is in order"

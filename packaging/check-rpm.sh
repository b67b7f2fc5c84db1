#!/bin/bash
# Builds the RPMs twice from the output of "mvn package" and checks them: equal bytes, exactly the files of the Debian packages, rpmlint,
# scriptlets, and the packages that dnf and zypper install for them in empty roots with the package names of EL 9, EL 10, SLES 15 and
# SLES 16. Two minutes.
set -eu -o pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. packaging/prerequisites.sh
. packaging/stand-ins.sh
# shellcheck disable=SC2086 # a list of words
require_packages $rpm_packages
fail() {
  echo "${0##*/}: $*" >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/one" "$work/other"
version=$(packaging/version.sh)
mapfile -t rpms < <(packaging/rpm.sh "$version" "$work/one")
(umask 077 && TZ=Pacific/Apia LANG=tr_TR.UTF-8 packaging/rpm.sh "$version" "$work/other" >/dev/null)
[ ${#rpms[@]} -eq 2 ] || fail "that are no two packages: ${rpms[*]}"
for rpm in "${rpms[@]}"; do cmp "$rpm" "$work/other/${rpm##*/}" || fail "two builds differ"; done
ls -s --block-size=1 "${rpms[@]}" | sed "s:$work/one/::"

# The list of files with kind, mode and bytes, without Debian's changelog, overrides and its different directories.
unpacked() { # DIRECTORY
  (cd "$1" && find . ! -type d -printf '%P %M ' \( -type l -printf '%l\n' -o -exec sh -c 'sha256sum <"$1"' sh {} \; \)) |
    sed -e 's:^lib/:usr/lib/:' -e 's:^usr/lib/[a-z0-9_]*-linux-gnu/:usr/lib64/:' -e '/^usr\/share\/lintian/d' -e '/changelog.gz /d' | sort
}
for deb in "$(packaging/deb.sh "$version" "$work")" "$(packaging/deb-shim.sh "$version" "$work")"; do
  name=${deb##*/} name=${name%%_*}
  mkdir -p "$work/deb/$name" "$work/rpm/$name"
  dpkg-deb -x "$deb" "$work/deb/$name"
  rpm2cpio "$work/one/$name-$version"-1.*.rpm | (cd "$work/rpm/$name" && cpio -idm --quiet)
  diff <(unpacked "$work/deb/$name") <(unpacked "$work/rpm/$name") || fail "the packages $name of Debian and of RPM hold other files"
done
torus_sm=$work/one/torus-sm-$version-1.noarch.rpm
diff <(rpm -qpc "$torus_sm") <(find "$work/rpm/torus-sm/etc" -type f -printf '/etc/%P\n' | sort) || fail "not each file of /etc is a configuration file"
[ -z "$(rpm -qpl "$torus_sm" | grep -E '^/(var|run)/')" ] || fail "state belongs to no package"
[ -z "$(rpm -qp --qf '[%{FILEUSERNAME}:%{FILEGROUPNAME}\n]' "${rpms[@]}" | grep -v '^root:root$')" ] || fail "files of others than root"

rpmlint --config packaging/rpm/rpmlint.toml "${rpms[@]}" >"$work/lint" 2>&1 || fail "$(cat "$work/lint")"
grep -q ' 0 errors, 0 warnings' "$work/lint" || fail "$(cat "$work/lint")"
grep '^ *2 packages' "$work/lint" | sed 's/^ */rpmlint: /; s/;.*has taken.*//'
for tag in PREIN POSTIN PREUN POSTUN POSTTRANS TRANSFILETRIGGERSCRIPTS; do
  rpm -qp --qf "[%{$tag}\n]" "$torus_sm" >"$work/$tag"
  [ -s "$work/$tag" ] && ! grep -q '(none)' "$work/$tag" || fail "no scriptlet $tag"
  shellcheck -s sh -e SC1091 "$work/$tag" || fail "scriptlet $tag"
done

# Each package manager finds the requirements under the names of its system.
while read -r system manager java umad shadow; do
  stand_ins "$work/$system" "$java" "$umad" "$shadow"
  cp "$torus_sm" "$work/$system"
  createrepo_c --quiet "$work/$system"
  case $manager in dnf) dry=--setopt=tsflags=test ;; zypper) dry=--dry-run ;; esac
  manager "$manager" "$work/root-$system" "$work/$system" "$work/cache-$system" install torus-sm $dry >"$work/said" 2>&1 ||
    fail "$manager, as on $system: $(cat "$work/said")"
  grep -q "$java-openjdk-headless" "$work/said" && grep -q "$umad" "$work/said" || fail "$manager, as on $system: $(cat "$work/said")"
  echo "$manager finds all that torus-sm requires, as on $system: $java, $umad, $shadow"
done <<'SYSTEMS'
EL9     dnf     java-17  libibumad   shadow-utils
EL10    dnf     java-21  libibumad   shadow-utils
SLES15  zypper  java-17  libibumad3  shadow
SLES16  zypper  java-25  libibumad3  shadow
SYSTEMS
echo "the RPMs are in order"

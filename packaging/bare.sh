#!/bin/bash
# Runs packaging/demo.sh and packaging/test.sh as root in a new bare Debian 12 (debootstrap --variant=minbase) with a copy of the last
# commit. Prints their output and the time of each. Exit code 1 if one of them fails.
# Needs root and 5 GB of disk. Half an hour on two cores, mostly downloads, builds and tests.
# usage: packaging/bare.sh [--maven-repository DIRECTORY] [--apt-cache DIRECTORY] [ROOT]
#   ROOT: the directory of the Debian; it is created and kept (default: a temporary directory, removed at the end).
#   The options name directories to copy instead of downloads, such as ~/.m2/repository and /var/cache/apt/archives.
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."
. packaging/prerequisites.sh
[ "$(id -u)" -eq 0 ] || { echo "${0##*/}: needs root" >&2 && exit 2; }
maven_repository='' apt_cache=''
while [ $# -gt 0 ]; do
  case $1 in
    --maven-repository) maven_repository=${2:?} && shift ;;
    --apt-cache) apt_cache=$(readlink -f "${2:?}") && shift ;;
    -*) sed -n '/^# usage/,/^set/{/^#/p}' "$0" >&2 && exit 2 ;;
    *) break ;;
  esac
  shift
done
require_packages debootstrap

work=$(mktemp -d)
root=$(readlink -m "${1:-$work/root}")
. packaging/debian-root.sh
[ ! -e "$root" ] || fail "$root exists already; remove it, or name another directory"
clean_up() {
  end_children
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

[ -z "$(git status --porcelain)" ] || echo "uncommitted changes are left out"
echo "a bare Debian 12 in $root ..."
mkdir -p "$root"
if [ -n "$apt_cache" ]; then
  make_debian_root --cache-dir="$apt_cache"
  find "$apt_cache" -maxdepth 1 -name '*.deb' -exec cp -t "$root/var/cache/apt/archives" {} +
else
  make_debian_root
fi
if [ -n "$maven_repository" ]; then
  mkdir -p "$root/root/.m2/repository"
  cp -RL "$maven_repository/." "$root/root/.m2/repository/"
fi
commit=$(git rev-parse --short HEAD)
mkdir "$root/root/torus-sm"
git archive "$commit" | tar -x -C "$root/root/torus-sm"

failed=0
told=
for script in packaging/demo.sh packaging/test.sh; do
  echo "# $script"
  start=$SECONDS
  # This shell has process ID 1 and so reaps orphans.
  alone_within sh -c "cd /root/torus-sm && $script; exit \$?" && status=0 || status=$?
  [ "$status" -eq 0 ] || failed=1
  told+="$script: $((SECONDS - start)) s, exit status $status"$'\n'
done
echo
printf 'a bare Debian 12 and %s:\n%s' "$commit" "$told"
exit $failed

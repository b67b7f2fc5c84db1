#!/bin/bash
# Does what packaging/Containerfile says, stage by stage, in a bare Debian 12 instead of in a container engine: COPY, RUN, USER,
# and the command of the stage "demo" at last. Needs root and what "mvn package" assembled. Some minutes.
# usage: packaging/check-container.sh [ROOT]; ROOT: a root that debootstrap made before, which is copied
set -eu
here=$(dirname "$(readlink -f "$0")")
. "$here/prerequisites.sh"
work=$(mktemp -d)
root=$work/root
. "$here/debian-root.sh"
clean_up() {
  end_children
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT

if [ $# -gt 0 ]; then
  cp -a "$1" "$root"
else
  require_packages debootstrap
  make_debian_root
fi
cd "$here/.."
packaging/deb.sh >/dev/null
user=root command=
# a step a line, as far as the stage "demo" and no further
while read -r word rest; do
  case $word in
    FROM) [[ $rest == *" AS "* ]] || break ;;
    COPY)
      # shellcheck disable=SC2086 # a pattern and a place
      set -- $rest
      mkdir -p "$root$(dirname "${*: -1}")"
      cp "${@:1:$#-1}" "$root${*: -1}"
      ;;
    RUN) within sh -c "$rest" >"$work/log" 2>&1 || fail "RUN $rest: $(tail "$work/log")" ;;
    USER) user=$rest ;;
    ENTRYPOINT | CMD)
      words=$(echo "$rest" | tr -d '[]",')
      if [ "$word" = ENTRYPOINT ]; then entry=$words; else command=$words; fi
      ;;
    WORKDIR | "" | \#*) ;;
    *) fail "this script does not know $word" ;;
  esac
done < <(sed -e ':a' -e '/\\$/N; s/\\\n//; ta' packaging/Containerfile)
echo "as $user: ${entry:-} $command"
# shellcheck disable=SC2086 # words of the Containerfile
alone_within setpriv --reuid="$user" --regid="$user" --clear-groups env HOME="/home/$user" ${entry:-} $command >"$work/said" 2>&1 ||
  fail "$(tail "$work/said")"
grep -v '^ibwarn' "$work/said"
grep -q '^OpenSM: SUBNET UP' "$work/said" && grep -q '^ibnetdiscover: 16 switches, 32 hosts' "$work/said" || fail "that is not what was to be seen"
echo "the Containerfile does what it says"

#!/bin/bash
# Executes packaging/Containerfile stage by stage in a bare Debian 12 instead of a container engine: COPY, RUN, USER, and the command of
# the stage "demo". Then runs the services of packaging/compose.yaml: a fabric and a pair of SMs, the second of which takes over.
# Needs root and the output of "mvn package". A few minutes.
# usage: packaging/check-container.sh [ROOT]   ROOT: an existing root of debootstrap, which is copied
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
  require_packages debootstrap python3-yaml
  make_debian_root
fi
cd "$here/.."
packaging/deb.sh >/dev/null
run_demo() {
  echo "as $user: ${entry:-} $command"
  # shellcheck disable=SC2086 # words of the Containerfile
  alone_within setpriv --reuid="$user" --regid="$user" --clear-groups env --chdir="$directory" HOME="/home/$user" ${entry:-} $command >"$work/said" 2>&1 ||
    fail "$(tail "$work/said")"
  grep -v '^ibwarn' "$work/said"
  grep -q '^OpenSM: SUBNET UP' "$work/said" && grep -q '^ibnetdiscover: 16 switches, 32 hosts' "$work/said" || fail "that is not what was to be seen"
}
user=root directory=/ command=
# one step a line; each stage continues in the root of the previous one
while read -r word rest; do
  case $word in
    FROM)
      case $rest in
        *" AS "*) stage=${rest##* } ;;
        *) break ;;
      esac
      [ "$stage" != sm ] || run_demo
      ;;
    COPY)
      # shellcheck disable=SC2086 # a pattern and a place
      set -- $rest
      mkdir -p "$root$(dirname "${*: -1}")"
      cp "${@:1:$#-1}" "$root${*: -1}"
      ;;
    RUN) within sh -c "$rest" >"$work/log" 2>&1 || fail "RUN $rest: $(tail "$work/log")" ;;
    USER) user=$rest ;;
    ENTRYPOINT | CMD)
      words=$(echo "$rest" | sed 's/^\["//; s/"\]$//; s/", "/ /g')
      if [ "$word" = ENTRYPOINT ]; then entry=$words; else command=$words; fi
      ;;
    WORKDIR) directory=$rest ;;
    VOLUME | "" | \#*) ;;
    *) fail "this script does not know $word" ;;
  esac
done < <(sed -e ':a' -e '/\\$/N; s/\\\n//; ta' packaging/Containerfile)

# Services of compose.yaml: command and environment, in a directory instead of a container.
of_service() { # NAME: the command, and the environment as words of env
  python3 - "$1" <<'END'
import sys, yaml
service = yaml.safe_load(open("packaging/compose.yaml"))["services"][sys.argv[1]]
print(*service["command"])
print(*(f"{key}={value.replace('$$', '$')}" for key, value in service.get("environment", {}).items()))
END
}
run_service() { # NAME ENTRY OPTION...
  mapfile -t words < <(of_service "$1")
  within install -d -o torus-sm -g rdma "/srv/$1"
  # shellcheck disable=SC2086 # words of compose.yaml
  unshare_options="--pid --fork --kill-child" exec_within setpriv --reuid=torus-sm --regid=rdma --clear-groups \
    env --chdir="/srv/$1" ${words[1]} "${@:2}" ${words[0]} >"$work/$1.log" 2>&1 &
}
await() { # LOG PATTERN
  for _ in $(seq 600); do
    if grep -q "$2" "$work/$1.log"; then return; fi
    sleep 0.1
  done
  fail "$1 does not say $2: $(tail "$work/$1.log")"
}
echo '127.0.0.1 fabric' >>"$root/etc/hosts"
run_service fabric torus-fabric
await fabric ready
# shellcheck disable=SC2086 # words of the Containerfile
run_service sm-a $entry --state-dir /srv/sm-a --control-socket /srv/sm-a/control.sock
first=$!
await sm-a 'SUBNET UP'
# shellcheck disable=SC2086
run_service sm-b $entry --http-listen none --state-dir /srv/sm-b --control-socket /srv/sm-b/control.sock
await sm-b STANDBY
kill "$(pgrep -P "$first")" # in order, as a container engine does
await sm-b 'STANDBY -> MASTER'
grep -h 'SUBNET UP\|-> STANDBY\|-> MASTER' "$work/sm-a.log" "$work/sm-b.log" | cut -c 1-150
echo "the Containerfile and compose.yaml do what they say"

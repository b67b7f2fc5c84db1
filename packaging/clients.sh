#!/bin/bash
# Runs third-party clients one after the other on a fabric of 4,500 hosts that "torus-sm fabric" serves and torus-sm manages:
# infiniband-diags, osmtest, OpenSM as standby and as next master, a UFM client with the requests of ib-kubernetes, the formats of Slurm and
# of Kubernetes NodeConditions, and the parser of Prometheus. Prints a line for each client with version and time, and at the end "all is
# well". Needs the output of "mvn package". A few minutes.
# Not run, because Debian has no packages of them: ib-kubernetes, treydock's infiniband_exporter, topograph and NVSentinel (Go), and a Slurm
# that reads topology.yaml (25.05; Debian has 22.05). UfmPluginContractTest and infiniband-exporter-series.txt compare with the sources of the
# first two.
# usage: packaging/clients.sh [FABRIC]   FABRIC: a specification (default: a tree of 125 leaves with 36 hosts each)
set -eu -o pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. packaging/prerequisites.sh
require_packages ibsim-utils libumad2sim0 infiniband-diags opensm curl openssl jq python3-yaml prometheus
fabric=${1:-tree:leaves=125,spines=36,hosts=36}
bin=$PWD/daemon/target/torus-sm/bin
work=$(mktemp -d)
cd "$work"
clean_up() {
  for pid in $(jobs -p); do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT
fail() {
  echo "${0##*/}: $*" >&2
  exit 1
}
export IBSIM_SOCKNAME="clients-$$"
shim=$(echo /usr/lib/*/umad2sim/libumad2sim.so)
on() { # NODE COMMAND...: replaces this shell, in a new directory, because libumad2sim leaves files
  mkdir -p "$work/$1"
  cd "$work/$1"
  SIM_HOST=$1 LD_PRELOAD=$shim exec "${@:2}"
}
await() { # FILE PATTERN SECONDS
  local limit=$((SECONDS + $3))
  until grep -qs "$2" "$1"; do
    [ $SECONDS -lt $limit ] || fail "$1 does not say $2: $(tail -n 3 "$1")"
    sleep 0.2
  done
}
smctl() { "$bin/torus-smctl" --socket "$work/control.sock" "$@"; }
client() { # NAME VERSION PATTERN COMMAND...: its output has the pattern
  local start=$SECONDS
  ("${@:4}") >"$work/said" 2>"$work/complaints" || fail "$1: $(tail -n 5 "$work/said") $(head -n 3 "$work/complaints")"
  grep -Eq -- "$3" "$work/said" || fail "$1 does not say $3: $(tail -n 5 "$work/said") $(head -n 3 "$work/complaints")"
  printf '%-34s %-22s %3d s  %s\n' "$1" "$2" $((SECONDS - start)) "$(grep -E -m 1 -- "$3" "$work/said" | cut -c 1-80)"
}
version_of() { dpkg-query -W -f='${Version}' "$1"; }

"$bin/torus-sm" fabric --listen "unix:$IBSIM_SOCKNAME" "$fabric" >fabric.log 2>&1 &
await fabric.log ready 60
mkdir -m 0700 tls state
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
  -keyout tls/key.pem -out tls/cert.pem 2>/dev/null
token=$("$bin/torus-sm" new-token admin ib-kubernetes 2>tls/users)
chmod 0600 tls/*
cat >torus-sm.conf <<END
https_listen = "127.0.0.1:19443"
https_certificate = "$work/tls/cert.pem"
https_key = "$work/tls/key.pem"
https_users = "$work/tls/users"
http_listen = "127.0.0.1:19335"
END
on host-0-0 "$bin/torus-sm" -F "$work/torus-sm.conf" -p 5 --state-dir "$work/state" --control-socket "$work/control.sock" >sm.log 2>&1 &
sm=$!
await sm.log 'SUBNET UP' 240
grep -o 'SUBNET UP.*' sm.log | head -n 1
count() { smctl status | sed -n 's/^subnet: .* \([0-9]*\) host ports.*/\1/p'; }
hosts=$(count)

diags=$(version_of infiniband-diags)
client sminfo "$diags" 'SMINFO_MASTER' on host-3-3 sminfo
client "saquery NodeRecord" "$diags" NodeDescription on host-3-3 saquery NR
client "saquery PathRecord" "$diags" 'dlid' on host-3-3 saquery PR --src-to-dst 40:50
client ibnetdiscover "$diags" '^Switch' on host-3-3 ibnetdiscover
[ "$(grep -c '^Ca' "$work/said")" -eq "$hosts" ] || fail "ibnetdiscover sees $(grep -c '^Ca' "$work/said") hosts of $hosts"
client iblinkinfo "$diags" 'LinkUp' on host-3-3 iblinkinfo -l
client "ibtracert" "$diags" 'From ca' on host-3-3 ibtracert 40 50
client "perfquery" "$diags" 'PortXmitData' on host-3-3 perfquery
opensm=$(version_of opensm)
client "osmtest: inventory" "$opensm" 'PASS' on host-2-1 osmtest -f c -i "$work/osmtest.dat"
client "osmtest: multicast" "$opensm" 'PASS' on host-2-1 timeout 200 osmtest -f m -M 2 -i "$work/osmtest.dat"

ufm() { curl --noproxy '*' -sS --fail --cacert tls/cert.pem -u "ib-kubernetes:$token" -H 'Content-Type: application/json' "$@"; }
guid=$(smctl export hosts --json | jq -r '[.. | strings | select(test("^0x[0-9a-f]{16}$"))][5]')
base=https://localhost:19443/ufmRest
client "UFM's REST, as ib-kubernetes" "curl $(version_of curl)" '6\.11' ufm "$base/app/ufm_version"
client "  adds a GUID to a P_Key" "" ': 1 end port' ufm -X POST "$base/resources/pkeys" -w 'status %{http_code}\n' \
  -d "{\"pkey\": \"0x7ab0\", \"index0\": false, \"ip_over_ib\": true, \"membership\": \"full\", \"guids\": [\"${guid#0x}\"]}"
client "  finds it" "" "${guid#0x}" ufm "$base/resources/pkeys/?guids_data=true"
client "  removes it" "" . ufm -X POST "$base/actions/remove_guids_from_pkey" -w 'status %{http_code}\n' \
  -d "{\"pkey\": \"0x7ab0\", \"guids\": [\"${guid#0x}\"]}"

client "Slurm's topology.yaml" "PyYAML" 'nodes of 4500|nodes of ' sh -c "$(declare -f smctl); bin='$bin' work='$work'; smctl export slurm | python3 -c '
import re, sys, yaml
text = yaml.safe_load(sys.stdin)
print(\"nodes of\", len(re.findall(\"host-\", str(text))), \"names, plugin\", [key for key in text[0] if key not in (\"topology\", \"cluster_default\")][0])'"
client "NodeConditions" "jq" '^[0-9]+ True' sh -c "'$bin/torus-smctl' --socket '$work/control.sock' export health --json | jq -r '[.hosts[] | .status] | group_by(.) | map(\"\\(length) \\(.[0])\") | .[]'"
curl --noproxy '*' -sS --fail http://127.0.0.1:19335/metrics >metrics
client "Prometheus: promtool" "$(version_of prometheus)" . sh -c 'promtool check metrics <metrics && echo "$(wc -l <metrics) lines"'

echo 'force_log_flush TRUE' >opensm.conf
on host-4-1 opensm -p 3 -F "$work/opensm.conf" -f "$work/opensm.log" >opensm.out 2>&1 &
await opensm.log 'STANDBY' 120
await_standby() {
  for _ in $(seq 120); do
    smctl sms >sms.txt
    if grep STANDBY sms.txt; then return; fi
    sleep 0.5
  done
}
client "OpenSM as standby" "$opensm" STANDBY await_standby
kill "$sm"
wait "$sm" || true
await opensm.log 'SUBNET UP' 240
client "OpenSM as the next master" "$opensm" 'SMINFO_MASTER' on host-3-3 sminfo
echo "all is well: $hosts hosts"

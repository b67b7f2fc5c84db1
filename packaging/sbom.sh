#!/bin/bash
# Prints the bill of materials of a package in CycloneDX 1.5: each jar with SHA-256, and with Maven coordinates and licence from
# packaging/libraries.txt. A jar that is not listed there is part of torus-sm. Equal jars give equal bytes.
# usage: packaging/sbom.sh VERSION JAR...
set -eu
export LC_ALL=C
libraries=$(dirname "$(readlink -f "$0")")/libraries.txt
version=$1
shift
own='(mad-transport|sm-core|routing-torus2qos|qos|daemon)-.*'
this=pkg:deb/torus-sm@$version
hashes=$(for jar in "$@"; do printf '%s  %s\n' "$(sha256sum <"$jar" | cut -d ' ' -f 1)" "${jar##*/}"; done | sort -k 2)
id=$(printf '%s\n%s' "$version" "$hashes" | sha256sum)
components='' refs=''
while read -r sha file; do
  if line=$(grep -F "$sha  $file  " "$libraries"); then
    licence=$(awk -F '  ' '{ print $3 }' <<<"$line") group=$(awk -F '  ' '{ print $4 }' <<<"$line")
  elif [[ $file =~ ^$own$ ]]; then
    licence='' group=io.torussm
  else
    echo "${0##*/}: $file is not the one that packaging/libraries.txt names" >&2
    exit 1
  fi
  [[ $file =~ ^(.*)-([0-9][0-9A-Za-z.]*(-SNAPSHOT)?)(-([a-z]+))?\.jar$ ]] || { echo "${0##*/}: $file has no version" >&2; exit 1; }
  name=${BASH_REMATCH[1]} number=${BASH_REMATCH[2]} classifier=${BASH_REMATCH[5]}
  purl=pkg:maven/$group/$name@$number${classifier:+?classifier=$classifier}
  licences=${licence:+"\"licenses\": [{\"expression\": \"${licence//, / AND }\"}], "}
  components+="${components:+,}
    {\"type\": \"library\", \"bom-ref\": \"$purl\", \"group\": \"$group\", \"name\": \"$name\", \"version\": \"$number\", \
\"hashes\": [{\"alg\": \"SHA-256\", \"content\": \"$sha\"}], $licences\"purl\": \"$purl\"}"
  refs+="${refs:+, }\"$purl\""
done <<<"$hashes"
cat <<EOF
{
  "bomFormat": "CycloneDX",
  "specVersion": "1.5",
  "serialNumber": "urn:uuid:${id:0:8}-${id:8:4}-4${id:13:3}-8${id:17:3}-${id:20:12}",
  "version": 1,
  "metadata": {
    "timestamp": "$(date -u -d "@${SOURCE_DATE_EPOCH:-0}" +%Y-%m-%dT%H:%M:%SZ)",
    "component": {"type": "application", "bom-ref": "$this", "name": "torus-sm", "version": "$version", "purl": "$this"}
  },
  "components": [$components
  ],
  "dependencies": [{"ref": "$this", "dependsOn": [$refs]}]
}
EOF

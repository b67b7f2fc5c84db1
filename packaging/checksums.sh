#!/bin/bash
# Maintains .mvn/checksums/checksums.sha256: the SHA-256 of each plugin, library and pom that Maven may use for the build, with its path in a
# local repository. The format is that of sha256sum and of the trusted checksums of Maven 3.9. Maven 3.8 of Debian 12 cannot verify them,
# so packaging/test.sh gives it a local repository with the listed files only.
# usage: packaging/checksums.sh fill REPOSITORY DIRECTORY: copies what is listed and is in REPOSITORY; fails if a copy differs from the list
#        packaging/checksums.sh check DIRECTORY: fails if a file there is not listed, or differs from the list
#        packaging/checksums.sh write [MAVEN OPTION]...: rewrites the list after a build with an empty local repository; files
#          are copied from the default repository if it has them. Fails if a listed version has different bytes. A few minutes.
set -eu -o pipefail
export LC_ALL=C
cd "$(dirname "$(readlink -f "$0")")/.."
list=$PWD/.mvn/checksums/checksums.sha256

fail() { echo "${0##*/}: $*" >&2 && exit 1; }
files() { # DIRECTORY: the artifacts that Maven loaded there, without its own records
  (cd "$1" && find . -type f ! -name '_remote.repositories' ! -name '*.lastUpdated' ! -name '*.sha1' ! -name '*.md5' \
    ! -name 'maven-metadata*' ! -name 'resolver-status.properties' -printf '%P\n' | sort)
}
listed() { sed 's/^[^ ]*  //' "$list" | sort; }
usual_repository() { # MAVEN OPTION...
  local directory found
  directory=$(mktemp -d)
  found=$(cd "$directory" && { mvn -X --batch-mode "$@" validate || true; } | sed -n '0,/.*Using local repository at /s///p')
  rmdir "$directory"
  echo "${found:-$HOME/.m2/repository}"
}
verify() { # DIRECTORY
  [ -z "$(files "$1" | head -n 1)" ] || (cd "$1" && sha256sum --check --ignore-missing --strict --quiet "$list") ||
    fail "that is not what .mvn/checksums/checksums.sha256 lists: remove it from Maven's local repository (${2:-there}), and ask whence it came"
}

case ${1-} in
  repository) usual_repository "${@:2}" ;;
  fill)
    mkdir -p "$3" && set -- "$1" "$2" "$(readlink -f "$3")"
    [ ! -d "$2" ] || comm -12 <(listed) <(files "$2") | (cd "$2" && xargs -r -d '\n' cp -L --parents -t "$3")
    verify "$3" "$2"
    ;;
  check)
    unlisted=$(comm -13 <(listed) <(files "$2"))
    [ -z "$unlisted" ] || fail "the build has used what .mvn/checksums/checksums.sha256 does not list:"$'\n'"$unlisted
If that is meant, run: packaging/checksums.sh write"
    verify "$2"
    ;;
  write)
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    usual="<id>usual</id><url>file://$(usual_repository "${@:2}")</url>"
    cat >"$work/settings.xml" <<END
<settings><profiles><profile><id>usual</id>
  <repositories><repository>$usual</repository></repositories>
  <pluginRepositories><pluginRepository>$usual</pluginRepository></pluginRepositories>
</profile></profiles><activeProfiles><activeProfile>usual</activeProfile></activeProfiles></settings>
END
    # One test, because Surefire loads its provider only if there is a test.
    mvn -q --batch-mode -gs "$work/settings.xml" -Daether.offline.protocols=file -Pbench,thorough -Dtest=LibrariesTest \
      -Dsurefire.failIfNoSpecifiedTests=false -Dmaven.test.failure.ignore=true "${@:2}" -Dmaven.repo.local="$work/repository" clean verify
    files "$work/repository" | (cd "$work/repository" && xargs -d '\n' sha256sum) >"$work/new"
    [ ! -e "$list" ] || verify "$work/repository"
    mkdir -p "${list%/*}"
    cp "$work/new" "$list"
    wc -l <"$list" | sed 's/$/ files/'
    ;;
  *) sed -n '/^# usage/,/^set/{/^#/p}' "$0" >&2 && exit 2 ;;
esac

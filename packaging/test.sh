#!/bin/sh
# Everything that must hold before a change goes in: all checks and tests, those with ibsim, ibutils and
# infiniband-diags included, and the Debian package. Six to eight minutes on two cores. Arguments go to Maven.
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."
. packaging/prerequisites.sh
# shellcheck disable=SC2086 # lists of words
require_packages $build_packages $test_packages
mvn -q --batch-mode -Pbench verify "$@"
exec packaging/check-deb.sh

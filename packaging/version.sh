#!/bin/sh
# Prints the version of the program, which stands in pom.xml alone.
sed -n '/<artifactId>torus-sm</{n; s:.*<version>\(.*\)</version>.*:\1:p}' "$(dirname "$(readlink -f "$0")")/../pom.xml"

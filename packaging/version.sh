#!/bin/sh
# Prints the version of the program from pom.xml.
sed -n '/<artifactId>torus-sm</{n; s:.*<version>\(.*\)</version>.*:\1:p}' "$(dirname "$(readlink -f "$0")")/../pom.xml"

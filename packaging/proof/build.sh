#!/bin/bash
# Checks the proof with Coq 8.16, extracts the checker, and builds packaging/proof/target/verify-certificate. Prints the assumptions of the
# theorems and line counts. Fails if there is an axiom or an unfinished proof. One minute.
# usage: packaging/proof/build.sh   (on Debian 12: apt-get install coq ocaml-nox ocaml-findlib)
set -eu
here=$(dirname "$(readlink -f "$0")")
target=$here/target
for program in coqc coqchk ocamlfind; do
  command -v $program >/dev/null || { echo "$program is missing: apt-get install coq ocaml-nox ocaml-findlib" >&2; exit 2; }
done
rm -rf "$target"
mkdir -p "$target"
cp "$here"/*.v "$here/reader.ml" "$target"
cd "$target"

if grep -nwE 'Admitted|admit|Axiom|Parameter|Conjecture|Abort' ./*.v; then
  echo "a proof that is not finished, or an axiom" >&2
  exit 1
fi
files=(Network Fabric Routes Theorems Example Extract)
for file in "${files[@]}"; do coqc -q -Q . TorusSM "$file.v"; done
theorems=(accepted_fabric_is_free_of_deadlock accepted_routes_are_free_of_deadlock)
{
  echo "From TorusSM Require Import Theorems."
  printf 'Print Assumptions %s.\n' "${theorems[@]}"
} >Assumptions.v
coqc -q -Q . TorusSM Assumptions.v >assumptions.txt
paste <(printf '%s\n' "${theorems[@]}") assumptions.txt
[ "$(grep -cx 'Closed under the global context' assumptions.txt)" = "${#theorems[@]}" ] || { echo "there are axioms" >&2; exit 1; }
# coqchk, the small kernel, checks the compiled proofs again and lists every axiom in use
coqchk -silent -o -Q . TorusSM TorusSM.Theorems >coqchk.txt 2>&1 || { cat coqchk.txt >&2; exit 1; }
grep -A1 '^\* Axioms' coqchk.txt
ocamlfind ocamlopt -package unix -linkpkg -inline 100 checker.mli checker.ml reader.ml -o verify-certificate
wc -l "${files[@]/%/.v}" reader.ml checker.ml

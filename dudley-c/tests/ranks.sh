#!/usr/bin/env bash
# Runs the Fortran example of MPI ranks: `ranks.sh PREFIX`, of an installed C interface.
set -euo pipefail
prefix="$(cd "$1" && pwd)"
example="$(cd "$(dirname "${BASH_SOURCE[0]}")/../examples" && pwd)/ranks.f90"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,tcp
mpif90 -std=f2018 -Wall -O1 -Wno-maybe-uninitialized "$prefix/share/dudley/fortran/dudley.f90" "$example" -o ranks \
  -L"$prefix/lib" -ldudley_c -Wl,-rpath,"$prefix/lib"

on() {
  local ranks="$1"
  shift
  timeout 60 mpirun -n "$ranks" ./ranks "$@"
}

echo "-- a run that is killed continues, on other ranks, to the same bytes"
on 1 whole 45
for kill in "3 7" "2 20" "4 34"; do
  if on "${kill% *}" killed 45 "${kill#* }" 2>/dev/null; then
    echo "not killed: $kill"
    exit 1
  fi
done
[ "$(on 3 killed 45)" = "starts after step 30, ranks: 3" ]
cmp whole/final.bd killed/final.bd
cmp whole/checkpoint-0000000040/state.bd killed/checkpoint-0000000040/state.bd

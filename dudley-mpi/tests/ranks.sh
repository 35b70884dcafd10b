#!/usr/bin/env bash
# Runs the examples on several numbers of ranks: `ranks.sh FOLDER-OF-THE-EXAMPLES`. MPIRUN is the launcher of another MPI
# than the one of the machine.
set -euo pipefail
built="$(cd "$1" && pwd)"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,tcp
on() {
  local ranks="$1"
  shift
  timeout 60 "${MPIRUN:-mpirun}" -n "$ranks" "$@"
}

echo "-- the same bytes from 1 to 8 ranks, read on any number of others"
on 1 "$built/ranks" write one.bd rows
for ranks in 2 3 4 8; do
  for how in rows columns blocks; do
    on "$ranks" "$built/ranks" write many.bd "$how"
    cmp one.bd many.bd
  done
done

echo "-- the same bytes from one writer of a group, or of the node"
for ranks in 1 2 3 4 8; do
  for groups in 1 "$(((ranks + 1) / 2))" "$ranks" node; do
    for how in rows columns blocks; do
      on "$ranks" "$built/ranks" write many.bd "$how" "$groups"
      cmp one.bd many.bd
    done
  done
done
for ranks in 1 2 3 4 5 6 7 8; do
  hows=(blocks rows columns)
  on "$ranks" "$built/ranks" read many.bd "${hows[ranks % 3]}"
done

echo "-- files of groups are one dataset"
for ranks in 1 3 4; do
  mkdir groups
  on "$ranks" "$built/ranks" groups groups/run.bd "$(((ranks + 1) / 2))"
  rm -r groups
done

echo "-- one error on all ranks, and the old file"
# A file that may not grow stands for a full disk: its signal is ignored, so that writing fails.
for what in shape item drop disk "shape 1" "item 1" "drop 1" "disk 1" "shape 2" "drop 2" "disk 2"; do
  for bad in 0 2; do
    # Rank 0 writes for it then.
    [ "$what $bad" = "disk 1 2" ] && continue
    timeout 30 "${MPIRUN:-mpirun}" -n 3 bash -c 'trap "" XFSZ; exec "$@"' ranks \
      "$built/ranks" fail many.bd "$bad" $what >said 2>err || { cat said err; exit 1; }
    # The rank that drops its writer has an error of its own.
    grep -v "no native stream" said | sort -u >once
    [ "$(wc -l <once)" = 1 ] && grep -q "^rank $bad: " once || { cat said err; exit 1; }
    cmp one.bd many.bd
  done
done
rm said err once
[ "$(ls | wc -l)" = 2 ] || { ls -A; exit 1; }

echo "-- a run that is killed continues, on other ranks, to the same bytes"
on 1 "$built/heat" whole 60
ranks=1
for kill in "5 0 computed" "20 0 created" "20 1 written" "20 0 finished" "33 1 computed" "40 2 created" "40 0 written" "50 1 finished"; do
  ranks=$((ranks % 4 + 1))
  needed=$((${kill:3:1} + 1))
  [ "$kill" = "5 0 computed" ] && needed=1
  [ "$ranks" -ge "$needed" ] || ranks=$needed
  if DUDLEY_KILL="$kill" on "$ranks" "$built/heat" run 60 >/dev/null 2>&1; then
    echo "not killed: $kill"
    exit 1
  fi
done
on 3 "$built/heat" run 60
cmp whole/history.bd run/history.bd
for step in 50 60; do cmp "whole/checkpoint-00000000$step/state.bd" "run/checkpoint-00000000$step/state.bd"; done
[ -z "$(ls -A run | grep -v -e checkpoint -e history)" ] || { ls -A run; exit 1; }

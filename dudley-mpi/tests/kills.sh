#!/usr/bin/env bash
# Kills ranks of a run at random moments, this often: `kills.sh FOLDER-OF-THE-EXAMPLES DUDC CYCLES [SEED]`. After each kill every
# checkpoint must be whole and hold the bytes of a run that was never killed, and `latest` must find the newest. What is
# left of an unfinished one is given the name of a checkpoint: `verify` must refuse it, unless it was complete.
set -euo pipefail
heat="$(cd "$1" && pwd)/heat" dudc="$(realpath "$2")" cycles="$3" seed="${4:-1}"
RANDOM="$seed"
folder="$(mktemp -d -p "${DUDLEY_KILLS:-/dev/shm}")"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,tcp
export DUDLEY_EVERY=2
last=1000
mpirun="${MPIRUN:-mpirun}"
fail() {
  echo "cycle $cycle of seed $seed, after $kills kills: $*"
  ls -AR run
  exit 1
}

cycle=0 kills=0 ends=0 checked=0 torn=0 refused=0
DUDLEY_KEEP=1000 timeout 300 "$mpirun" -n 2 "$heat" whole "$last" >/dev/null
for ((cycle = 1; cycle <= cycles; cycle++)); do
  # In a group of its own: all its ranks are children of the launcher.
  "$mpirun" -n $((RANDOM % 4 + 1)) "$heat" run "$last" >said 2>&1 &
  job=$!
  ranks=()
  while kill -0 "$job" 2>/dev/null && [ "${#ranks[@]}" = 0 ]; do
    sleep 0.02
    mapfile -t ranks < <(pgrep -P "$job" -x heat || true)
  done
  sleep "0.$(printf %03d $((RANDOM % 800 + 100)))"
  if [ "${#ranks[@]}" -gt 0 ]; then
    # One rank, or all of them, as when the job has no time left.
    if [ $((RANDOM % 4)) = 0 ]; then victims=("${ranks[@]}"); else victims=("${ranks[RANDOM % ${#ranks[@]}]}"); fi
    kill -9 "${victims[@]}" 2>/dev/null && kills=$((kills + 1)) || true
  fi
  for ((waited = 0; waited < 400; waited++)); do
    kill -0 "$job" 2>/dev/null || break
    sleep 0.05
  done
  kill -0 "$job" 2>/dev/null && { kill -9 "$job" "${ranks[@]}" || true; cat said; fail "it hangs"; }
  if wait "$job"; then done=1; else done=0; fi
  grep -q "expected checksum\|passed over" said && { cat said; fail "a checkpoint was torn"; }
  [ -d run ] || continue

  newest=0
  for found in run/checkpoint-*; do
    [ -d "$found" ] || continue
    step=$((10#${found##*-}))
    cmp -s "$found/state.bd" "whole/${found#run/}/state.bd" || fail "$found has other bytes"
    checked=$((checked + 1)) newest="$step"
  done
  if [ "$newest" -gt 0 ]; then
    "$dudc" checkpoint verify run >said 2>&1 || { cat said; fail "verify refuses a checkpoint"; }
    grep -q "newest that is whole: $newest\$" said || { cat said; fail "verify finds another than $newest"; }
  fi
  # As if the unfinished one had got its name.
  for left in run/.checkpoint-*.tmp; do
    [ -d "$left/new" ] || continue
    name="${left#run/.}" name="${name%%.*}"
    [ -d "run/$name" ] && continue
    torn=$((torn + 1))
    rm -rf trial && mkdir trial && cp -r "$left/new" "trial/$name"
    if "$dudc" checkpoint verify trial >said 2>&1; then
      cmp -s "trial/$name/state.bd" "whole/$name/state.bd" || { cat said; fail "a torn $name is taken for whole"; }
    else
      refused=$((refused + 1))
    fi
  done
  latest="$("$heat" run)" || fail "latest: $latest"
  [ "$latest" = "$newest" ] || fail "latest is $latest, and $newest is the newest"
  [ $((cycle % 100)) = 0 ] && echo "-- $cycle cycles, $kills kills, $checked whole, $torn unfinished" || true
  if [ "$done" = 1 ]; then
    cmp run/history.bd whole/history.bd || fail "another history"
    ends=$((ends + 1))
    rm -r run
  fi
done
echo "$kills kills in $cycles cycles, $ends runs to their end: $checked checkpoints are whole; of $torn unfinished ones $refused refused, the others complete"

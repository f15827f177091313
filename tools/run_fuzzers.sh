#!/usr/bin/env bash
# Builds the libFuzzer targets with clang and runs each for $1 seconds from its seed folder fuzz/seeds/<target>.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-10}
cmake --preset fuzz >/dev/null
cmake --build build/fuzz -j "${DASHPOT_JOBS:-2}" >build/fuzz/build.log 2>&1 ||
  { grep -E "error|FAILED" build/fuzz/build.log; echo "the fuzz targets do not build with clang"; exit 1; }
for target in build/fuzz/bin/fuzz_*; do
  [ -x "$target" ] || continue
  name=$(basename "$target"); name=${name#fuzz_}
  corpus=$(mktemp -d); seeds="fuzz/seeds/${name%_mesh}"  # fuzz_shape_mesh starts from the seeds of fuzz_shape
  "$target" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=5 -max_len=4096 "$corpus" "$seeds" >"$corpus.log" 2>&1 \
    || { tail -n 40 "$corpus.log"; echo "fuzz_$name: FAILED"; exit 1; }
  echo "fuzz_$name: $(grep -c . <(ls "$corpus")) new inputs in ${seconds} s, no crash"
  rm -rf "$corpus" "$corpus.log"
done

#!/usr/bin/env bash
# Every header compiles by itself: whoever includes it needs nothing before it. Part of ./dev sanitize.
set -euo pipefail
cd "$(dirname "$0")/.."
flags=(-std=c++20 -fsyntax-only -x c++ -march=x86-64-v3 -Isrc -Iapps/cli -Iexperiments -isystem /usr/include/eigen3 -DEIGEN_MAX_ALIGN_BYTES=32)
export FLAGS="${flags[*]}"
failed=$(git ls-files 'src/*.hpp' 'apps/*.hpp' 'experiments/*.hpp' |
  xargs -P "${DASHPOT_JOBS:-2}" -I{} bash -c 'g++ $FLAGS {} 2>/dev/null || echo {}')
if [ -n "$failed" ]; then echo "$failed"; echo "headers that need something included before them"; exit 1; fi
echo "headers: each compiles by itself"

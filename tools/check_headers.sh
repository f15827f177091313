#!/usr/bin/env bash
# Every header compiles by itself: whoever includes it needs nothing before it. Part of ./dev sanitize. A header takes about a
# second, most of it for Eigen and the standard library; with ccache only those that changed since.
#   tools/check_headers.sh [PATH...]    only headers whose path contains one of these
set -euo pipefail
cd "$(dirname "$0")/.."
CXX="g++"; if command -v ccache >/dev/null; then CXX="ccache g++"; fi
export CXX FLAGS="-std=c++20 -O0 -x c++ -march=x86-64-v3 -Isrc -Iapps/cli -Iexperiments -isystem /usr/include/eigen3 -DEIGEN_MAX_ALIGN_BYTES=32"
SCRATCH=$(mktemp -d); export SCRATCH; trap 'rm -rf "$SCRATCH"' EXIT
headers=$(git ls-files 'src/*.hpp' 'apps/*.hpp' 'experiments/*.hpp')
[ $# -eq 0 ] || headers=$(echo "$headers" | grep -F "$(printf '%s\n' "$@")")
failed=$(echo "$headers" | xargs -P "${DASHPOT_JOBS:-2}" -I{} bash -c \
  'out="$SCRATCH/$(echo {} | tr / _)"; $CXX $FLAGS -c {} -o "$out.o" 2>"$out.log" || { echo {}; grep -m 3 error: "$out.log"; }; rm -f "$out.o"')
if [ -n "$failed" ]; then echo "$failed"; echo "headers that need something included before them"; exit 1; fi
echo "headers: each of $(echo "$headers" | wc -l) compiles by itself"

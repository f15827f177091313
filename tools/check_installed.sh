#!/usr/bin/env bash
# Installs the build given as $1 into a scratch folder, then configures, builds and runs examples/01_library_user
# outside the tree, as a user of find_package(dashpot) would.
set -euo pipefail
build=$(realpath "$1"); root=$(realpath "$(dirname "$0")/..")
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
cp -r "$root/examples/01_library_user" "$scratch/example"
cmake -S "$scratch/example" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix" >/dev/null
cmake --build "$scratch/build" >/dev/null
"$scratch/build/ring"
echo "installed library: find_package(dashpot) works outside the tree"

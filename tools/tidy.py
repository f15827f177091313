#!/usr/bin/env python3
"""clang-tidy over the sources, several at a time.

  tools/tidy.py BUILD [PATH...]     BUILD has compile_commands.json without precompiled headers (cmake --preset dev); PATHs
                                    choose the sources that contain one of them

Most of the time of a check goes into headers, so sources that are compiled alike are joined in batches, as in the build; a
finding is told with the place in its own file. Exit code 1 when there is one.
"""
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLACE = re.compile(r"^(?P<file>[^\s:]+):(?P<line>\d+):(?P<rest>\d+: .*)")
BATCH = 12
# Warnings of GCC that clang does not know.
ONLY_GCC = re.compile(r"-Wno-(restrict|stringop-overflow|stringop-overread|maybe-uninitialized)$|-Werror$")


def flags_of(entry):
    """Include folders, definitions and language: what clang needs to read a source as GCC does."""
    words, kept = shlex.split(entry["command"])[1:], []
    while words:
        word = words.pop(0)
        if word in ("-isystem", "-include"):
            kept += [word, words.pop(0)]
        elif word.startswith(("-I", "-D", "-std", "-march", "-W", "-f")) and not ONLY_GCC.match(word):
            kept.append(word)
    return tuple(kept)


def batches(build, wanted):
    alike = {}
    with open(os.path.join(build, "compile_commands.json")) as file:
        for entry in json.load(file):
            path = os.path.relpath(entry["file"], ROOT)
            if path.startswith(("src/", "apps/cli/", "experiments/")) and (not wanted or any(w in path for w in wanted)):
                alike.setdefault((flags_of(entry), os.path.dirname(path).split("/")[:3][-1]), []).append(path)
    return [(flags, sorted(paths)[i:i + BATCH]) for (flags, _), paths in sorted(alike.items(), key=lambda item: item[1])
            for i in range(0, len(paths), BATCH)]


def check(folder, number, flags, paths):
    """What clang-tidy says of a batch, with places in the sources themselves."""
    joined, starts, lines = os.path.join(folder, f"batch_{number}.cpp"), [], 0
    with open(joined, "w") as out:
        for path in paths:
            with open(os.path.join(ROOT, path)) as source:
                text = source.read()
            starts.append((lines, path))
            out.write(text)
            lines += text.count("\n")
    done = subprocess.run(["clang-tidy-14", "--quiet", f"--config-file={ROOT}/.clang-tidy", joined, "--", *flags],
                          capture_output=True, text=True)
    told = []
    for line in done.stdout.splitlines():
        place = PLACE.match(line)
        if place and place["file"] == joined:
            first, path = [(at, name) for at, name in starts if at < int(place["line"])][-1]
            line = f"{path}:{int(place['line']) - first}:{place['rest']}"
        told.append(line)
    failed = done.returncode != 0 or any(": warning:" in line or ": error:" in line for line in told)
    return failed, "\n".join(told) + (f"\n{done.stderr}" if failed and not told else "")


def main():
    build, wanted = sys.argv[1], sys.argv[2:]
    work = batches(build, wanted)
    found, count = False, 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(
            int(os.environ.get("DASHPOT_JOBS", os.cpu_count() or 1))) as pool:
        for failed, text in pool.map(lambda item: check(folder, item[0], *item[1]), enumerate(work)):
            count += 1
            print(f"tidy: {count} of {len(work)} batches", file=sys.stderr, flush=True)
            if failed:
                found = True
                print(text, flush=True)
    if not found:
        print(f"tidy: {sum(len(paths) for _, paths in work)} sources, no finding")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

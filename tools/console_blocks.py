#!/usr/bin/env python3
"""Runs the console blocks of README.md and compares what they print.

  tools/console_blocks.py PROGRAM           exit code 1 and a difference for each block that prints something else
  tools/console_blocks.py PROGRAM --write   puts what the program prints into the blocks

A block is ```console, a line "$ dashpot ...", and what it prints on stdout. A line "  ..." stands for any further lines. Numbers
agree within 1 %, since compilers round differently. Commands run in an empty folder that has the scenes.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = re.compile(r"```console\n\$ dashpot (?P<command>[^\n]*)\n(?P<text>.*?)```", re.S)
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def printed(program, command):
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(ROOT, "scenes"), os.path.join(folder, "scenes"))
        os.symlink(os.path.join(ROOT, "assets"), os.path.join(folder, "assets"))
        done = subprocess.run([program, *shlex.split(command)], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"dashpot {command}: exit code {done.returncode}\n{done.stderr}")
        return done.stdout.splitlines()


def agree(written, ours):
    """Words are the same and numbers within 1 %; how wide columns are does not matter."""
    words, our_words = NUMBER.sub("#", written).split(), NUMBER.sub("#", ours).split()
    numbers, our_numbers = NUMBER.findall(written), NUMBER.findall(ours)
    return words == our_words and len(numbers) == len(our_numbers) and all(
        abs(float(a) - float(b)) <= 0.01 * abs(float(b)) + 1e-12 for a, b in zip(numbers, our_numbers))


def shortened(lines, output):
    """What is to be written: cut where the block was cut."""
    return output[:lines.index("  ...")] + ["  ..."] if "  ..." in lines else output


def main():
    program, page = os.path.abspath(sys.argv[1]), os.path.join(ROOT, "README.md")
    with open(page) as file:
        text = file.read()
    failed, found = False, 0

    def check(match):
        nonlocal failed, found
        found += 1
        lines = match["text"].splitlines()
        ours = shortened(lines, printed(program, match["command"]))
        if len(lines) != len(ours) or not all(map(agree, lines, ours)):
            failed = True
            print(f"README.md: $ dashpot {match['command']}\nsays\n" + "\n".join(lines) + "\nand the program prints\n" + "\n".join(ours))
        return f"```console\n$ dashpot {match['command']}\n" + "".join(line.rstrip() + "\n" for line in ours) + "```"

    updated = BLOCK.sub(check, text)
    blocks = text.count("```console")
    if found != blocks:
        raise SystemExit(f"README.md: {blocks - found} of {blocks} console blocks do not begin with '$ dashpot'")
    if "--write" in sys.argv[2:]:
        with open(page, "w") as file:
            file.write(updated)
        return 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

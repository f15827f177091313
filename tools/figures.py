#!/usr/bin/env python3
"""Makes the figures of README.md and docs/ with the commands that this page names.

  tools/figures.py PROGRAM               makes all of them anew (about as long as the reproductions among them)
  tools/figures.py PROGRAM NAME...       those whose path contains one of the names
  tools/figures.py PROGRAM --check       exit code 1 where a page shows a figure that is not listed here, where one that is
                                         listed is shown nowhere or is missing, and where one that takes seconds would change

A figure is a path and what makes it: commands of the program, run in an empty folder, and what to take of what they wrote.
Those marked quick are made again by --check: drawn lines agree within a third of a pixel or 1 %, words are the same.
"""
import math
import os
import re
import shlex
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHOWN = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def file(name):
    """What a command wrote, as it is."""
    return lambda folder: open(os.path.join(folder, name), "rb").read()


def plot(page, title):
    """The plot of that title in a report."""
    def found(folder):
        with open(os.path.join(folder, page)) as source:
            for svg in re.findall(r"<svg.*?</svg>", source.read(), re.S):
                if f">{title}</title>" in svg:
                    return (svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
                            if "xmlns=" not in svg else svg).encode() + b"\n"
        raise SystemExit(f"{page}: no plot '{title}'")
    return found


def studio_picture(folder):
    """The studio at work, in a browser: needs node with the page's packages, and chromium."""
    subprocess.run(["node", os.path.join(ROOT, "tests/studio/picture.mjs"), os.path.abspath(sys.argv[1]),
                    os.path.join(folder, "studio.png")], check=True)


def dry_friction(folder):
    """An oscillator of 5 Hz with zeta = 0.01 and dry friction of 0.002 k mm, released from 1 mm: swing.csv. Between two turns it is
    a viscous oscillator about a place that friction has shifted."""
    omega, zeta, shift = 2 * math.pi * 5, 0.01, 0.002
    damped = omega * math.sqrt(1 - zeta * zeta)
    start, place, rows, n = 0.0, 1.0, [], 0
    while abs(place) > shift and start < 6:
        center = math.copysign(shift, place)
        until = start + math.pi / damped
        while n * 0.002 < until and n * 0.002 < 6:
            t = n * 0.002 - start
            x = center + (place - center) * math.exp(-zeta * omega * t) * (
                math.cos(damped * t) + zeta * omega / damped * math.sin(damped * t))
            rows.append(f"{n * 0.002:.3f},{x:.9f}\n")
            n += 1
        place = center - (place - center) * math.exp(-zeta * math.pi * omega / damped)
        start = until
    with open(os.path.join(folder, "swing.csv"), "w") as out:
        out.write("time,x [mm]\n" + "".join(rows))


CAST = "koala elephant dragon_head bunny turtle penguin pig sneaker leaf plant punching_dummy mannequin"


def read_png(path):
    """Width, height and rows of r, g, b of a picture as the program writes them: 8 bits, no alpha, not interlaced."""
    with open(path, "rb") as source:
        data = source.read()
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
            assert (depth, color) == (8, 2), path
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    raw, stride, rows, before = zlib.decompress(packed), 3 * width, [], bytes(3 * width)
    for y in range(height):
        how, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride if how else 0):
            left, up, corner = (line[i - 3] if i > 2 else 0), before[i], (before[i - 3] if i > 2 else 0)
            guess = left + up - corner
            paeth = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            line[i] = (line[i] + (0, left, up, (left + up) // 2, paeth)[how]) & 255
        rows.append(line)
        before = line
    return width, height, rows


def cast(folder):
    """The gallery's pictures, four in a row, at a third of their size; the right part of each, with its regions, is left out."""
    names, columns, step = CAST.split(), 4, 3
    paths = [next(p for p in sorted(os.listdir(os.path.join(folder, "gallery"))) if p.endswith(f"_{name}.png")) for name in names]
    lines = []
    for first in range(0, len(names), columns):
        block = []
        for path in paths[first:first + columns]:
            _, height, rows = read_png(os.path.join(folder, "gallery", path))
            wide, high = height * 4 // 3 // step, height // step
            block.append([bytes(sum(rows[step * y + a][3 * (step * x + b) + c] for a in range(step) for b in range(step)) // step**2
                                for x in range(wide) for c in range(3)) for y in range(high)])
        lines += [b"".join(parts) for parts in zip(*block)]

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    header = struct.pack(">IIBBBBB", columns * wide, len(lines), 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) +
            chunk(b"IDAT", zlib.compress(b"".join(b"\0" + line for line in lines), 9)) + chunk(b"IEND", b""))


# path: (commands or functions of the folder, what to take, whether it takes seconds)
FIGURES = {
    "docs/images/demo_ledger.svg": (["demo --out demo"], plot("demo/02_rayleigh_zeta_0_01/report.html", "Where every joule went"), True),
    "docs/images/cast.png": (["gallery --out gallery --tets 11000 " + CAST], cast, False),
    "docs/images/penguin_bounce.png": (["run scenes/penguin_bounce.json --out penguin", "render penguin -o penguin.png"],
                                       file("penguin.png"), False),
    "docs/images/shirt.png": (["reproduce B-shirt --out shirt"], file("shirt/shirt.png"), False),
    "docs/images/cloth_swings.png": (["reproduce B-cloth --out cloth"], file("cloth/swings.png"), False),
    "docs/theory/figures/analysis_numerical_damping.svg": (["reproduce A-integrators --quick --out integrators"],
                                                           file("integrators/numerical_damping.svg"), True),
    "docs/theory/figures/analysis_ring_down.svg": ([dry_friction, "measure swing.csv --report swing.html"],
                                                   plot("swing.html", "Damping ratio against amplitude"), True),
    "docs/images/studio.png": ([studio_picture], file("studio.png"), False),
    "docs/theory/figures/memory_loss_factor.svg": (["reproduce B-structural --out structural"],
                                                   file("structural/loss_factor.svg"), False),
    "docs/theory/figures/render_sheet.png": (["run scenes/large_deformation.json --out sheet", "render sheet --color speed -o sheet.png"],
                                             file("sheet.png"), False),
}


def made(program, path):
    commands, take, _ = FIGURES[path]
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(ROOT, "scenes"), os.path.join(folder, "scenes"))
        for command in commands:
            if callable(command):
                command(folder)
                continue
            done = subprocess.run([program, *shlex.split(command), "--quiet"], cwd=folder, capture_output=True, text=True)
            if done.returncode not in (0, 1):  # 1: a claim was missed
                raise SystemExit(f"dashpot {command}: exit code {done.returncode}\n{done.stderr}")
        return take(folder)


def agree(old, new):
    """Without the stamp of the program that drew it."""
    old, new = (re.sub(r"<metadata>.*?</metadata>|figure\d+", "", text.decode()) for text in (old, new))
    numbers, others = NUMBER.findall(old), NUMBER.findall(new)
    return NUMBER.sub("#", old).split() == NUMBER.sub("#", new).split() and len(numbers) == len(others) and all(
        abs(float(a) - float(b)) <= 0.3 + 0.01 * abs(float(b)) for a, b in zip(numbers, others))


def shown_figures():
    """Pictures of the pages, from the root, each with the page that shows it."""
    pages = ["README.md"] + [os.path.relpath(os.path.join(folder, name), ROOT)
                             for folder, _, names in os.walk(os.path.join(ROOT, "docs")) for name in names if name.endswith(".md")]
    found = {}
    for page in pages:
        with open(os.path.join(ROOT, page)) as source:
            for target in SHOWN.findall(source.read()):
                if "://" not in target:
                    found[os.path.normpath(os.path.join(os.path.dirname(page), target))] = page
    return found


def check(program):
    shown = shown_figures()
    problems = [f"{page}: nothing in tools/figures.py makes {path}" for path, page in shown.items() if path not in FIGURES]
    problems += [f"{path}: no page shows it" for path in FIGURES if path not in shown]
    for path, (_, _, is_quick) in FIGURES.items():
        full = os.path.join(ROOT, path)
        if not os.path.exists(full):
            problems.append(f"{path}: missing")
        elif is_quick:
            with open(full, "rb") as source:
                if not agree(source.read(), made(program, path)):
                    problems.append(f"{path}: its command draws another one now; run tools/figures.py PROGRAM {os.path.basename(path)}")
    print("\n".join(problems) if problems else f"{len(FIGURES)} figures, each made by a command")
    return 1 if problems else 0


def main():
    program, words = os.path.abspath(sys.argv[1]), sys.argv[2:]
    if "--check" in words:
        return check(program)
    for path in FIGURES:
        if not words or any(word in path for word in words):
            picture = made(program, path)
            with open(os.path.join(ROOT, path), "wb") as out:
                out.write(picture)
            print(path, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

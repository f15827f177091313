#!/usr/bin/env python3
"""Checks who includes whom (DESIGN: rooms). Exit code 1 and one line per violation."""
import pathlib
import re
import sys

# Rooms of one inner list are on one level and never include each other; a level may include all lower ones.
LEVELS = [["core"], ["math"], ["mesh", "linsolve"], ["shape"], ["model"], ["element"],
          ["energy", "dissipation", "constraint", "contact", "yarn"], ["integrate", "modes"], ["projective", "gradients", "reduce"],
          ["record"], ["analysis", "exporter", "render"], ["scene"], ["design", "learn"]]
# The folders of scene/, in the same way; "." are the files beside them: what a C++ user includes first.
SCENE_LEVEL = {"format": 0, "assembly": 1, "models": 1, "import": 1, ".": 2, "report": 3}
LEVEL = {room: level for level, rooms in enumerate(LEVELS) for room in rooms}
# Third-party headers allowed in our public headers.
PUBLIC_THIRD_PARTY = re.compile(r"^(Eigen/|fmt/)")
STANDARD = re.compile(r"^[a-z_0-9]+$|^(experimental/simd|sys/.*|unistd\.h|fcntl\.h)$")

# Whole vectors are summed in integrate/reductions.cpp alone (docs/design/0007). These look at one block or a table.
REDUCTION = re.compile(r"\.(dot|norm|squaredNorm|stableNorm|lpNorm<.*>|allFinite|isZero|sum)\(")
MAY_REDUCE = {"integrate": {"reductions.cpp", "table_analysis.cpp"}, "gradients": set(),
              "projective": {"contact_bounds.cpp", "contact_sliding.cpp", "momentum_restoration.cpp", "anderson.cpp"}}

# Systems and terms are constant and shared between runs and threads: what changes is scratch that a run owns
# (docs/design/0009). Lambdas may be mutable.
MUTABLE_MEMBER = re.compile(r"^\s*(?:static\s+)?mutable\b")

root = pathlib.Path(__file__).resolve().parent.parent / "src" / "dashpot"
problems = []
for path in sorted(root.rglob("*.[ch]pp")):
    room = path.relative_to(root).parts[0]
    if room not in LEVEL:
        problems.append(f"{path}: room '{room}' has no level; add it to tools/check_layers.py and docs/design")
        continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if room in MAY_REDUCE and path.name not in MAY_REDUCE[room] and REDUCTION.search(line):
            problems.append(f"{path.relative_to(root.parent.parent)}:{number}: ask integrate/reductions.hpp")
        if MUTABLE_MEMBER.match(line):
            problems.append(f"{path.relative_to(root.parent.parent)}:{number}: no mutable members: give it to the caller's scratch")
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if not match:
            continue
        name = match.group(2)
        where = f"{path.relative_to(root.parent.parent)}:{number}"
        if name.startswith("dashpot/"):
            other = name.split("/")[1]
            if other not in LEVEL:
                problems.append(f"{where}: unknown room '{other}'")
            elif room == other == "scene":
                inner, theirs = (parts[1] if len(parts) > 2 else "." for parts in (path.relative_to(root).parts, name.split("/")[1:]))
                if SCENE_LEVEL[theirs] > SCENE_LEVEL[inner]:
                    problems.append(f"{where}: scene/{inner} must not include scene/{theirs}")
            elif other != room and LEVEL[other] >= LEVEL[room]:
                problems.append(f"{where}: {room}/ must not include {other}/ (level {LEVEL[other]} >= {LEVEL[room]})")
        elif path.suffix == ".hpp" and match.group(1) == "<" and not STANDARD.match(name) and not PUBLIC_THIRD_PARTY.match(name):
            problems.append(f"{where}: third-party header <{name}> belongs in a .cpp file")
for problem in problems:
    print(problem)
print(f"layer check: {len(problems)} violations in {len(list(root.rglob('*.[ch]pp')))} files")
sys.exit(1 if problems else 0)

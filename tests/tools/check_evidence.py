#!/usr/bin/env python3
"""tools/evidence.py with a program that is made up: what is run, what is not run again, and what the page says."""
import json
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = """#!/usr/bin/env python3
import json, os, sys
here = os.path.dirname(os.path.abspath(__file__))
if "--json" in sys.argv:
    print(json.dumps({"reproductions": [{"name": n, "paper": "P", "help": "h", "full": "", "measures_time": n == "X-two"} for n in ("X-one", "X-two")]}))
    sys.exit(0)
name, folder = sys.argv[2], sys.argv[-1]
open(os.path.join(here, "calls"), "a").write(name + "\\n")
if os.path.exists(os.path.join(here, "interrupt-" + name)):
    sys.exit(130)
claims = [{"id": "a", "statement": "s|t", "paper": None, "ours": 1.5, "unit": "%", "tolerance": "<= 2", "verdict": "holds", "reason": ""}]
if name == "X-two":
    claims.append({"id": "b", "statement": "u", "paper": True, "ours": None, "unit": "1", "tolerance": "<= 2", "verdict": "not_met", "reason": ""})
    claims.append({"id": "c", "statement": "w", "paper": 3, "ours": 4, "unit": "1", "tolerance": "<= 2", "verdict": "refuted", "reason": "a proof"})
json.dump({"name": name, "paper": "P", "variant": "standard", "seconds": 1, "claims": claims}, open(folder + "/result.json", "w"))
sys.exit(1 if name == "X-two" else 0)
"""


TREE = {  # a library of three rooms, two reproductions, a command
    "CMakeLists.txt": "project(x)  # a comment\n",
    "src/CMakeLists.txt": "dashpot_room(energy FAST USES core)\ndashpot_room(learn USES energy)\n",
    "cmake/rooms.cmake": "set(flags -O2)\nset_target_properties(x PROPERTIES UNITY_BUILD_BATCH_SIZE 14)\n",
    "src/dashpot/energy/law.hpp": "double law();\n",
    "src/dashpot/energy/law_stvk.cpp": '#include "dashpot/energy/law.hpp"\ndouble law() { return 1; }  // one\n',
    "src/dashpot/learn/fit.hpp": '#include "dashpot/energy/law.hpp"\n',
    "src/dashpot/learn/fit.cpp": '#include "fit.hpp"\n',
    "src/dashpot/scene/models/stvk.cpp": '#include "dashpot/energy/law.hpp"\n',
    "apps/cli/commands.hpp": "void setup_reproduce();\n",
    "apps/cli/command_reproduce.cpp": '#include "commands.hpp"\n#include "console.hpp"\n',
    "apps/cli/command_learn.cpp": '#include "dashpot/learn/fit.hpp"\n#include "console.hpp"\n',
    "apps/cli/console.hpp": "int print();\n",
    "apps/cli/console.cpp": '#include "console.hpp"\nint print() { return 1; }\n',
    "experiments/shared.hpp": "int shared();\n",
    "experiments/shared.cpp": '#include "shared.hpp"\nint shared() { return 1; }\n',
    "experiments/shared_report.cpp": '#include "shared.hpp"\nint more() { return 1; }\n',
    "experiments/reproduce_x_one.cpp": 'const char* scene = "swing";\n',
    "experiments/reproduce_x_two.cpp": '#include "dashpot/learn/fit.hpp"\n#include "shared.hpp"\n',
    "experiments/scenes/swing.json": '{"shape": "koala"}\n',
    "experiments/scenes/other.json": "{}\n",
    "assets/koala.json": "{}\n",
    "assets/pig.json": "{}\n",
    "docs/page.md": "words\n",
}
CHANGES = [  # path, new text (None: removed), which of X-one and X-two it makes old
    ("docs/page.md", "other words", []),
    ("src/dashpot/energy/law_stvk.cpp", '// another comment\n#include "dashpot/energy/law.hpp"\ndouble law() {\n  return 1; }\n', []),
    ("src/dashpot/energy/law_stvk.cpp", '#include "dashpot/energy/law.hpp"\ndouble law() { return 2; }', ["X-one", "X-two"]),
    ("src/dashpot/energy/law_new.cpp", "int x;", ["X-one", "X-two"]),
    ("src/dashpot/scene/models/new.cpp", "int x;", ["X-one", "X-two"]),
    ("src/dashpot/learn/new.cpp", "int x;", ["X-two"]),
    ("src/dashpot/learn/fit.cpp", None, ["X-two"]),
    ("src/CMakeLists.txt", "dashpot_room(energy FAST USES core)\ndashpot_room(learn USES energy core)\n", ["X-two"]),
    ("src/CMakeLists.txt", "dashpot_room(energy USES core)\ndashpot_room(learn USES energy)\n", ["X-one", "X-two"]),
    ("cmake/rooms.cmake", "set(flags -O2)\nset_target_properties(x PROPERTIES UNITY_BUILD_BATCH_SIZE 7)\n", []),
    ("cmake/rooms.cmake", "set(flags -O3)\nset_target_properties(x PROPERTIES UNITY_BUILD_BATCH_SIZE 14)\n", ["X-one", "X-two"]),
    ("apps/cli/commands.hpp", "void setup_reproduce(); void setup_other();", []),
    ("apps/cli/command_learn.cpp", "int x;", []),
    ("apps/cli/console.cpp", "int x;", ["X-one", "X-two"]),
    ("experiments/shared.cpp", "int x;", ["X-two"]),
    ("experiments/shared_report.cpp", "int x;", ["X-two"]),
    ("experiments/reproduce_x_one.cpp", 'const char* scene = "swing2";', ["X-one"]),
    ("experiments/reproduce_x_three.cpp", "int x;", []),
    ("experiments/scenes/swing.json", "{}", ["X-one"]),
    ("experiments/scenes/other.json", "[]", []),
    ("assets/koala.json", "[]", ["X-one"]),
    ("assets/pig.json", "[]", []),
]


def write(root, path, text):
    path = os.path.join(root, path)
    if text is None:
        os.remove(path)
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def git(root, *arguments):
    who = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", root, *who, *arguments], check=True, capture_output=True)


def make_tree(root):
    for path, text in TREE.items():
        write(root, path, text)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "first")


def check_what_makes_old(root):
    """Each change makes those old that are made of the file, and no other."""
    from reproduction_sources import work_tree
    before = {name: work_tree(root).hash_of(name) for name in ("X-one", "X-two")}
    assert all(before.values()) and before["X-one"] != before["X-two"] and work_tree(root).hash_of("X-four") == ""
    for path, text, expected in CHANGES:
        write(root, path, text)
        tree = work_tree(root)
        old = [name for name, was in before.items() if tree.hash_of(name) != was]
        assert old == expected, f"{path}: {text}: old are {old}, not {expected}"
        write(root, path, TREE.get(path))


def check_the_real_tree():
    """What every reproduction is made of here, as far as it must be."""
    from reproduction_sources import room_of, work_tree
    tree = work_tree(ROOT)
    names = [os.path.basename(p)[len("reproduce_"):-4] for p in tree.paths if p.startswith("experiments/reproduce_")]
    files = {name: set(tree.files_of(name)) for name in names}
    reached = set().union(*files.values())
    assert len(names) > 30
    for name in names:
        for needed in ("src/dashpot/energy/law_stvk.cpp", "src/dashpot/integrate/integrators/bathe.cpp", "src/dashpot/linsolve/adaptive_solver.cpp",
                       "src/dashpot/scene/format/registry.cpp", "experiments/claim.cpp", "cmake/compile_options.cmake"):
            assert needed in files[name], f"{name} is not made of {needed}"
        others = [p for p in files[name] if "/reproduce_" in p and p != f"experiments/reproduce_{name}.cpp"]
        assert not others, f"{name} is made of {others}"
    unused = [p for p in tree.paths - reached if p.startswith("experiments/") and p != "experiments/reproductions.cpp"]
    assert not unused, f"no reproduction is made of {unused}"
    assert any("learn" not in {room_of(p) for p in files[name]} for name in names)


def main():
    work = sys.argv[1]
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    sys.dont_write_bytecode = True  # the source tree stays as it is
    sys.path.insert(0, os.path.join(ROOT, "tools"))
    tree = os.path.join(work, "tree")
    os.makedirs(tree)
    make_tree(tree)
    check_what_makes_old(tree)
    check_the_real_tree()
    program, page = os.path.join(work, "program"), os.path.join(work, "evidence.md")
    with open(program, "w") as file:
        file.write(PROGRAM)
    os.chmod(program, 0o755)

    def evidence(*arguments):
        command = [sys.executable, "-B", os.path.join(ROOT, "tools/evidence.py"), "--program", program, "--out",
                   os.path.join(work, "out"), "--file", page, "--root", tree, *arguments]
        code = subprocess.run(command, stderr=subprocess.DEVNULL).returncode
        with open(page) as file:
            return code, file.read()

    def calls():
        path = os.path.join(work, "calls")
        names = open(path).read().split() if os.path.exists(path) else []
        open(path, "w").close()
        return names

    code, text = evidence("--page")
    assert code == 1 and text.count("No result yet.") == 2 and calls() == []
    open(os.path.join(work, "interrupt-X-two"), "w").close()
    code, text = evidence()
    assert code == 1 and calls() == ["X-two"] and text.count("No result yet.") == 2, "what measures times goes first"
    os.remove(os.path.join(work, "interrupt-X-two"))
    open(os.path.join(work, "interrupt-X-one"), "w").close()
    code, text = evidence()
    assert code == 1 and calls() == ["X-two", "X-one"] and text.count("No result yet.") == 1, text
    os.remove(os.path.join(work, "interrupt-X-one"))
    code, text = evidence()
    assert calls() == ["X-one"], "what was done is not done again"
    assert code == 1 and "2 holds, 1 not met, 1 refuted" in text, text
    assert "| `a`: s\\|t | - | 1.5 % | <= 2 | holds |" in text, text
    assert "| X-two | `b` | no number | <= 2 | **not met** |" in text, text
    assert "* `c`: a proof." in text and "older sources" not in text, text
    sources = os.path.join(work, "out/X-one/sources.json")
    with open(sources, "w") as file:
        json.dump({"hash": "another", "commit": "0123456789ab"}, file)
    code, text = evidence("--page")
    assert "commit 0123456789ab. **Of older sources.**" in text and calls() == [], text
    evidence("X-one")
    assert calls() == ["X-one"]
    # Where there is no result the page keeps what it says, misses too; it is old when its sources changed since its commit.
    shutil.rmtree(os.path.join(work, "out/X-two"))
    code, text = evidence("--page")
    assert code == 1 and calls() == [] and "No result yet" not in text, text
    assert "2 holds, 1 not met, 1 refuted" in text and "older sources" not in text.lower(), text
    assert "| X-two | `b` | no number | <= 2 | **not met** |" in text and "* `c`: a proof." in text, text
    write(tree, "src/dashpot/learn/fit.cpp", "int x;")
    git(tree, "commit", "-qam", "second")
    code, text = evidence("--page")
    assert "2 holds, 1 not met, 1 refuted. 1 reproductions have results of older sources." in text, text
    assert text.count("**Of older sources.**") == 1 and text.index("## X-two") < text.index("**Of older"), text
    assert evidence("--page")[1] == text, "what is kept does not change"
    write(tree, "src/dashpot/learn/fit.cpp", TREE["src/dashpot/learn/fit.cpp"])
    code, text = evidence("--page")
    assert "older sources" not in text.lower(), "as it was at its commit"
    # A result whose hash was made another way is judged by its commit.
    sources = os.path.join(work, "out/X-one/sources.json")
    of = json.load(open(sources))
    with open(sources, "w") as file:
        json.dump({"hash": "another", "commit": of["commit"]}, file)
    evidence("X-one")
    assert calls() == []


main()

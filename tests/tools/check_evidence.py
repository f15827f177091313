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


def check_what_counts(work):
    """A comment or another layout is the same source; another number, or another text, is not."""
    sys.dont_write_bytecode = True  # the source tree stays as it is
    sys.path.insert(0, os.path.join(ROOT, "tools"))
    import evidence  # noqa: E402, found by the line above

    def of(text):
        path = os.path.join(work, "some.cpp")
        with open(path, "w") as file:
            file.write(text)
        return evidence.what_counts(path)

    plain = of('int f() { return 1; }  // one\nconst char* s = "http://a";\n')
    assert plain == of('// other words\nint f() {\n  return 1;\n}\nconst char* s = "http://a";\n')
    assert plain != of('int f() { return 2; }  // one\nconst char* s = "http://a";\n')
    assert plain != of('int f() { return 1; }  // one\nconst char* s = "http://b";\n')


def main():
    work = sys.argv[1]
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    check_what_counts(work)
    program, page = os.path.join(work, "program"), os.path.join(work, "evidence.md")
    with open(program, "w") as file:
        file.write(PROGRAM)
    os.chmod(program, 0o755)

    def evidence(*arguments):
        command = [sys.executable, os.path.join(ROOT, "tools/evidence.py"), "--program", program, "--out",
                   os.path.join(work, "out"), "--file", page, *arguments, "--sources", "cmake"]
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


main()

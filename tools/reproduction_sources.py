"""Which files a reproduction is made of, and a hash of them: what makes its result old when it changes.

Those are: its reproduce_<name>.cpp and every header that it reaches by #include, with the source beside it; of each room of
the library that is reached, every file (a source may define what any header of its room declares; the linker checks that rooms
need no others); models of scenes, which are linked in by registration; the scenes and assets that these files name; the command
that runs reproductions; and how all this is compiled. So a change in a room that a reproduction uses makes it old; a new
reproduction, another command or a room that it does not use does not.
"""
import fnmatch
import functools
import hashlib
import io
import os
import re
import subprocess
import tarfile
import tempfile

INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
INCLUDE_FOLDERS = ["src", "apps/cli", "experiments"]
ALWAYS = ["apps/cli/command_reproduce.cpp", "src/dashpot/scene/models/*.cpp", "CMakeLists.txt", "*/CMakeLists.txt",
          "cmake/compile_options.cmake", "cmake/dependencies.cmake", "cmake/embed_assets.cmake", "cmake/rooms.cmake"]
# Lists of what there is: a new entry changes no other one.
LISTS = ["apps/cli/commands.hpp", "experiments/reproductions.cpp"]
COUNTED = ["src", "apps/cli", "experiments", "assets", "cmake", "CMakeLists.txt"]


@functools.lru_cache(maxsize=None)
def without_comments(content):
    """C++ without comments and white space, which the compiler does not see either."""
    command = ["g++", "-x", "c++", "-fpreprocessed", "-dD", "-E", "-P", "-"]
    return b"".join(subprocess.run(command, input=content, capture_output=True, check=True).stdout.split())


def build_rules(content, rooms):
    """CMake without comments, sizes of batches (they change no result) and rooms that are not reached."""
    text = re.sub(r"#.*", "", content.decode())
    text = re.sub(r"UNITY_BUILD_BATCH_SIZE\s+\d+", "", text)
    text = re.sub(r"dashpot_room\((\w+)[^)]*\)", lambda room: room[0] if room[1] in rooms else "", text)
    return "".join(text.split()).encode()


def room_of(path):
    """"energy" of src/dashpot/energy/formula/x.hpp; "" outside of the library."""
    parts = path.split("/")
    return parts[2] if len(parts) > 3 and parts[:2] == ["src", "dashpot"] else ""


class SourceTree:
    """The files of a work tree, or of a commit that was unpacked: `paths` relative to `root`."""

    def __init__(self, root, paths):
        self.root = root
        self.paths = {p for p in paths if (p.startswith(tuple(c + "/" for c in COUNTED)) or p in COUNTED)
                      and os.path.isfile(os.path.join(root, p))}
        self.content = functools.lru_cache(maxsize=None)(self._content)
        self.neighbors = functools.lru_cache(maxsize=None)(self._neighbors)
        self.named = {kind: self._names(kind) for kind in ("experiments/scenes/", "assets/")}
        self.rooms = {}
        for path in self.paths:
            self.rooms.setdefault(room_of(path), []).append(path)

    def _content(self, path):
        with open(os.path.join(self.root, path), "rb") as file:
            return file.read()

    def _names(self, folder):
        """Files by the name by which C++ and scenes know it: "koala"."""
        named = {}
        for path in self.paths:
            if path.startswith(folder) and path.endswith(".json"):
                named.setdefault(os.path.basename(path)[:-5], []).append(path)
        return named

    def included(self, path):
        for name in INCLUDE.findall(self.content(path)):
            for folder in [os.path.dirname(path), *INCLUDE_FOLDERS]:
                found = os.path.normpath(os.path.join(folder, name.decode()))
                if found in self.paths:
                    yield found
                    break

    def belonging(self, path):
        """What is needed with a file whoever needs it: its whole room; elsewhere the source of a header, step_contest.cpp and
        step_contest_report.cpp of step_contest.hpp."""
        if room_of(path):
            return self.rooms[room_of(path)]
        stem = path[:-4]
        return [p for p in self.rooms[""] if path.endswith(".hpp") and p.endswith(".cpp") and
                (p == stem + ".cpp" or (p.startswith(stem + "_") and p[:-4] + ".hpp" not in self.paths))]

    def mentioned(self, path):
        """Scenes and assets whose name stands in a file of a reproduction."""
        words = set(re.findall(r"\w+", self.content(path).decode(errors="replace")))
        folders = ["assets/"] if path.startswith("assets/") else ["experiments/scenes/", "assets/"]
        return [found for folder in folders for word in words for found in self.named[folder].get(word, [])]

    def _neighbors(self, path):
        """What is needed where a file is needed."""
        found = self.belonging(path)
        if path.endswith((".cpp", ".hpp")):
            found = [*found, *self.included(path)]
        if not path.startswith(("src/", "cmake/")) and not path.endswith(".txt"):
            found = [*found, *self.mentioned(path)]
        return [other for other in found if other not in LISTS]

    def files_of(self, reproduction):
        """Paths, sorted; none when there is no such reproduction."""
        start = "experiments/reproduce_" + reproduction.lower().replace("-", "_") + ".cpp"
        if start not in self.paths:
            return []
        always = [p for p in self.paths for pattern in ALWAYS if fnmatch.fnmatch(p, pattern)]
        reached, waiting = set(), [start, *always]
        while waiting:
            path = waiting.pop()
            if path not in reached:
                reached.add(path)
                waiting += self.neighbors(path)
        return sorted(reached)

    @functools.lru_cache(maxsize=None)
    def hash_of(self, reproduction):
        files, digest = self.files_of(reproduction), hashlib.sha256()
        rooms = {room_of(path) for path in files}
        for path in files:
            content = self.content(path)
            if path.endswith((".cpp", ".hpp")):
                content = without_comments(content)
            elif path.endswith((".txt", ".cmake")):
                content = build_rules(content, rooms)
            digest.update(path.encode() + b"\0" + hashlib.sha256(content).digest())
        return digest.hexdigest() if files else ""


def git(root, *arguments):
    return subprocess.run(["git", "-C", root, *arguments], capture_output=True, check=True).stdout


def work_tree(root):
    return SourceTree(root, git(root, "ls-files", "-co", "--exclude-standard").decode().splitlines())


@functools.lru_cache(maxsize=None)
def tree_of_commit(root, commit):
    """None where the commit is not known here."""
    try:
        packed = git(root, "archive", "--format=tar", commit)
    except subprocess.CalledProcessError:
        return None
    folder = tempfile.TemporaryDirectory()
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder.name)
        tree = SourceTree(folder.name, [m.name for m in archive.getmembers() if m.isfile()])
    tree.folder = folder  # removed with the tree
    return tree

"""layers.py FOLDER: checks that code depends only on folders listed above its own, that files have no
circular dependencies, that struct tags are unique, and that the header of a source's name declares
its functions, so that a name leads to its file. A forbidden dependency tends to grow: the
verifier would share code with the solver it checks, or an engine would link the generator.

A C file uses another by including it, or by calling a function that only the other defines; a module
of the page by importing it."""
import pathlib
import re
import sys

ROOMS = ["values", "frame", "seeds", "solver", "material", "run"]
GEN = [f"gen/{room}" for room in ROOMS]
BELOW_GEN = ["core", "core/program", "table", "table/write", "probe"]
# A folder, and the others that it may use.
MAY_USE = {
    "core": [],
    "core/program": ["core"],
    "table": ["core"],
    "table/write": ["core", "core/program", "table"],
    "probe": ["core", "table"],
    "verify": ["core", "core/program", "table", "probe"],
    **{room: BELOW_GEN + GEN[:i] for i, room in enumerate(GEN)},
    "prove": ["core", "core/program", "table", "probe", "verify"],
    "study": ["core", "core/program", "table", "probe", "verify", "prove"],
    "serve": ["core", "core/program", "table", "probe", "verify", "prove", "study", "gen/material"],
    "serve/site": ["core", "core/program", "probe", "serve"],
    "cli": ["core", "core/program", "table", "table/write", "probe", "verify", "prove", "study",
            "serve"] + GEN,
}
# Only the implementations of core/os.h, core/program/os_write.h and cli/system.h call the operating
# system, so that the rest is portable. The server is for POSIX only. POSIX threads come with every
# compiler that has OpenMP, so the generator may use them.
SYSTEM = re.compile(r"unistd|fcntl|dirent|poll|sched|signal|io|windows|sys/[a-z]+|pthread")
ASKS_SYSTEM = re.compile(r"[a-z/]+/(os|system)[a-z_]*[.]|cli/cmd_serve[.]|serve/")
THREADS = re.compile(r"pthread|sched")

COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
INCLUDE = re.compile(r'^ *# *include +(?:"([^"]+)"|<([^>]+)\.h>)', re.MULTILINE)
DEFINITION = re.compile(r"^(?!static|extern|typedef)\w[\w *]*?\b(\w+)\([^;{}]*\)\s*\{", re.MULTILINE)
OWN = re.compile(r"^static [\w *]*?\b(\w+)\(", re.MULTILINE)
DECLARATION = re.compile(r"^\w[^;{}]*\);", re.MULTILINE)
CALL = re.compile(r"\b(\w+)\s*\(")
TAG = re.compile(r"^(?:struct|union|enum) (\w+) \{", re.MULTILINE)
IMPORT = re.compile(r"""^import\b[^;'"]*['"]\./([\w-]+\.js)['"]""", re.MULTILINE)


def folder_of(name):
    return name.rpartition("/")[0]


def read_c(top):
    texts = {}
    for folder in MAY_USE:
        files = sorted(path for path in (top / folder).iterdir() if path.suffix in (".c", ".h"))
        if not files:
            sys.exit(f"nothing in {folder}")
        texts.update((path.relative_to(top).as_posix(), path.read_text()) for path in files)
    return texts


def asks_system(name, header):
    return SYSTEM.fullmatch(header) and not ASKS_SYSTEM.match(name) and \
        not (name.startswith("gen/") and THREADS.fullmatch(header))


def uses_of_c(texts, faults):
    """Maps each file to the files it uses; adds faults for forbidden folders and system headers."""
    uses = {name: set() for name in texts}
    code = {name: COMMENT.sub(" ", text) for name, text in texts.items()}
    definers = {}
    for name, text in code.items():
        for function in DEFINITION.findall(text):
            definers.setdefault(function, []).append(name)
    for name, text in texts.items():
        for own, system in INCLUDE.findall(text):
            used = own if "/" in own else f"{folder_of(name)}/{own}"
            if used in texts:
                uses[name].add(used)
            if asks_system(name, system):
                faults.append(f"{name}: only core/os*.c and cli/system*.c may ask the system")
        bodies = DECLARATION.sub("", code[name])
        declared = {function for text in DECLARATION.findall(code[name])
                    for function in CALL.findall(text)}
        for function in set(CALL.findall(bodies)) - declared - set(OWN.findall(code[name])):
            if len(definers.get(function, ())) == 1:
                uses[name].add(definers[function][0])
        uses[name].discard(name)
        allowed = [folder_of(name)] + MAY_USE[folder_of(name)]
        faults += [f"{name} may not use {used}" for used in sorted(uses[name])
                   if folder_of(used) not in allowed]
    return uses


def tags_of_two(texts):
    """Struct tags defined in more than one file."""
    places = {}
    for name, text in texts.items():
        for tag in TAG.findall(text):
            places.setdefault(tag, []).append(name)
    return [f"{tag}: of {', '.join(names)}" for tag, names in places.items() if len(names) > 1]


# Sources whose functions are declared by a header of another name.
WITHOUT_HEADER = set("""
cli/options.c
serve/site/module.c
""".split())
# The functions of a command are named in the table of commands, those of a call in serve/endpoints.h.
NEEDS_NO_HEADER = re.compile(r"(cli/(cmd_[a-z_]+|main)|serve/api_[a-z]+)[.]c")


def without_header(texts):
    """Sources with a function that the header of their name does not declare, besides public ones."""
    faults = []
    for name, text in texts.items():
        if not name.endswith(".c") or NEEDS_NO_HEADER.fullmatch(name):
            continue
        headers = {name[:-2] + ".h", re.sub("(_posix|_windows)?[.]c$", ".h", name)} & texts.keys()
        declared = {function for header in headers
                    for function in CALL.findall(COMMENT.sub(" ", texts[header]))}
        code = re.sub("^ALWAYS_INLINE", "static", COMMENT.sub(" ", text), flags=re.MULTILINE)
        missing = sorted(function for function in set(DEFINITION.findall(code)) - declared
                         if not function.startswith("einspul_"))
        if missing and name not in WITHOUT_HEADER:
            faults.append(f"{name}: the header of its name does not declare {', '.join(missing)}")
    return faults


def uses_of_page(top):
    page = top / "serve/page"
    return {f"serve/page/{path.name}":
            {f"serve/page/{used}" for used in IMPORT.findall(path.read_text())}
            for path in sorted(page.glob("*.js"))}


def circles(uses):
    """The sets of files with circular dependencies (Tarjan's algorithm)."""
    found, number, low, stack = [], {}, {}, []

    def visit(name):
        number[name] = low[name] = len(number)
        stack.append(name)
        for used in uses[name]:
            if used not in number:
                visit(used)
            if used in stack:
                low[name] = min(low[name], low[used])
        if low[name] == number[name]:
            circle = stack[stack.index(name):]
            del stack[stack.index(name):]
            if len(circle) > 1:
                found.append(sorted(circle))

    for name in uses:
        if name not in number:
            visit(name)
    return found


def main():
    top = pathlib.Path(sys.argv[1])
    faults = []
    texts = read_c(top)
    uses = uses_of_c(texts, faults)
    uses.update(uses_of_page(top))
    for circle in circles(uses):
        faults.append("a circle: " + ", ".join(circle))
        faults += [f"  {name} uses {used}" for name in circle
                   for used in sorted(uses[name] & set(circle))]
    faults += tags_of_two(texts)
    faults += without_header(texts)
    faults += [f"gen holds {path.name}" for path in (top / "gen").glob("*.[ch]")]
    print("\n".join(faults))
    return 1 if faults else 0


sys.exit(main())

"""Runs in Pyodide under Node.js, called by build.mjs: compiles sources to byte code, in reproducible archives."""

import hashlib
import json
import marshal
import re
import zipfile
from importlib.util import MAGIC_NUMBER
from pathlib import Path

UNUSED = re.compile(
    r"(?:__hello__|__phello__|_ast_unparse|_markupbase|_pyio|_pyrepl|antigravity|argparse|bdb|cProfile|cmd|code|colorsys|compileall|"
    r"configparser|ctypes|doctest|filecmp|fileinput|ftplib|getpass|gettext|imaplib|mailbox|mimetypes|modulefinder|multiprocessing|"
    r"netrc|nturl2path|optparse|pdb|pickletools|pkgutil|plistlib|poplib|profile|pstats|pty|py_compile|pyclbr|pydoc|rlcompleter|runpy|"
    r"sched|shelve|smtplib|socketserver|sqlite3|sre_compile|sre_constants|sre_parse|statistics|symtable|tabnanny|tarfile|this|"
    r"timeit|tomllib|trace|tracemalloc|tty|unittest|wave|webbrowser|wsgiref|xmlrpc|zipapp)(?:/.*|\.py)$|"
    r"asyncio/(?:__main__|tools|proactor_events|windows_.*)\.py|email/(?:mime/|_header_value_parser|headerregistry|generator)|"
    r"http/(?:cookie|server)|logging/(?!__init__)|pathlib/types|xml/(?:dom|sax)/|"
    r"encodings/(?!(?:__init__|aliases|ascii|cp437|idna|latin_1|punycode|raw_unicode_escape|unicode_escape|undefined|utf_\w+)\.py)"
)
"""Parts of the standard library that nothing here imports: most are for other programs, and a page would load them for nothing."""
OURS = ("core", "mechanics", "render", "rulesets")
PURE = (
    "annotated_types",
    "mypy_extensions",
    "pydantic",
    "ruamel",
    "svgwrite",
    "typing_extensions",
    "typing_inspection",
)
BINARY = ("pydantic_core",)
LICENCE = re.compile(r"\.dist-info/(?:licenses/)?(?:LICEN[CS]E|COPYING)[^/]*$")
UNASKED = re.compile(
    r"pydantic/(?:v1/|mypy|experimental/pipeline|color)|annotated_types/test_cases|svgwrite/extensions/"
)
"""Parts of packages that nothing here imports."""
WHEN = (1980, 1, 1, 0, 0, 0)


def compiled(source: bytes, name: str) -> bytes:
    """A module's byte code, for an import that never looks at its source."""
    code = compile(source, name, "exec", dont_inherit=True)
    return MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8) + marshal.dumps(code)


def pack(name: str, members: dict[str, bytes]) -> None:
    """An archive, not compressed: the server compresses it better as a whole."""
    with zipfile.ZipFile(f"/to/{name}", "w", zipfile.ZIP_STORED) as archive:
        for path, data in sorted(members.items()):
            archive.writestr(zipfile.ZipInfo(path, WHEN), data)


def as_code(members: dict[str, bytes]) -> dict[str, bytes]:
    """Each Python file compiled; other files unchanged."""
    return {
        (path[:-2] + "pyc" if path.endswith(".py") else path): compiled(data, path) if path.endswith(".py") else data
        for path, data in members.items()
    }


def read_zip(path: str) -> dict[str, bytes]:
    """The files in an archive."""
    with zipfile.ZipFile(path) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist() if not info.is_dir()}


def compile_all() -> None:
    """Writes the archives, the licences, and `made.json`, which lists their contents."""
    library = {path: data for path, data in read_zip("/npm/python_stdlib.zip").items() if not UNUSED.match(path)}
    pack("stdlib.zip", as_code({path: data for path, data in library.items() if path.endswith(".py")}))
    pure: dict[str, bytes] = {}
    binary: dict[str, bytes] = {}
    licences: dict[str, list[str]] = {}
    packages: dict[str, str] = {}
    for wheel in sorted(Path("/from/wheels").glob("*.whl")):
        name, number = wheel.name.split("-")[:2]
        packages[name] = number
        for path, data in read_zip(str(wheel)).items():
            top = path.split("/")[0].removesuffix(".py")
            if LICENCE.search(path):
                licences.setdefault(f"{name} {number}", []).append(data.decode())
            elif path.endswith((".py", ".so")) and not UNASKED.match(path):
                if top in PURE:
                    pure[path] = data
                elif top in BINARY:
                    binary[path] = data
    missing = {*PURE, *BINARY} - {path.split("/")[0].removesuffix(".py") for path in (*pure, *binary)}
    if missing:
        raise SystemExit(f"the wheels have no {', '.join(sorted(missing))}")
    pack("packages.zip", as_code(pure))
    pack("binary.zip", as_code(binary))
    root = Path("/from/source")
    modules = sorted(path for part in OURS for path in (root / "adjudicator" / part).rglob("*.py"))
    own = {path.relative_to(root).as_posix(): path.read_bytes() for path in modules}
    pack("own.zip", as_code(own))
    made = {
        "info": json.loads(Path("/npm/pyodide-lock.json").read_text())["info"],
        "packages": packages,
        "licences": licences,
        "own": {path: hashlib.sha256(data).hexdigest() for path, data in own.items()},
    }
    Path("/to/made.json").write_text(json.dumps(made))

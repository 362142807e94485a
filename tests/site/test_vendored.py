"""The age bundle: identical to the recorded one, fetching nothing, and compatible with the `age` command in a real browser."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Error, Page

from tests.conftest import tool
from tests.site.conftest import opened

pytestmark = pytest.mark.slow

NAMES = ["Decrypter", "Encrypter", "armor", "generateIdentity", "identityToRecipient"]
ICON = "data:,"
POLICY = "default-src 'none'; script-src 'self'; img-src data:"
HTML = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}"><title>age</title>
<link rel="icon" href="{ICON}"><script type="module" src="page.js"></script></html>
"""
TEXTS = {
    "nothing": "",
    "a sheet": "orders:\n  - A München - Burgund  # → “hold”\n",
    "more than one chunk": "F StP(sc) - BOT\n" * 9000,  # age seals pieces of 64 KiB
}


@pytest.fixture(scope="module")
def recipe(root: Path) -> Path:
    return root / "vendor" / "age-encryption"


@pytest.fixture(scope="module")
def bundle(root: Path) -> Path:
    return root / "site_src" / "assets" / "age-encryption.js"


@pytest.fixture(scope="module")
def code(bundle: Path) -> str:
    """The bundle without its comments, where licences contain addresses."""
    return re.sub(r"/\*!.*?\*/", "", bundle.read_text(encoding="utf-8"), flags=re.DOTALL)


# The files --------------------------------------------------------------------------------------------------------


def test_the_bundle_matches_its_record(recipe: Path, bundle: Path) -> None:
    digest, name = (recipe / "bundle.sha256").read_text(encoding="utf-8").split()
    assert (recipe / name).resolve() == bundle
    assert hashlib.sha256(bundle.read_bytes()).hexdigest() == digest


def test_the_bundle_is_small_and_carries_the_licence_of_every_package_in_it(recipe: Path, bundle: Path) -> None:
    text = bundle.read_text(encoding="utf-8")
    assert len(text.encode()) < 150_000
    banner = text[: text.index("*/")]
    assert banner.startswith("/*!")
    for folder, package in json.loads((recipe / "package-lock.json").read_text())["packages"].items():
        if folder and not package.get("dev"):
            assert f"{folder.rpartition('node_modules/')[2]} {package['version']} ({package['license']})" in banner
    assert "Permission is hereby granted" in banner
    assert "Redistributions in binary form" in banner


def test_the_recipe_names_exact_versions_and_checksums_and_no_address(recipe: Path) -> None:
    package = json.loads((recipe / "package.json").read_text())
    text = (recipe / "package-lock.json").read_text()
    lock = json.loads(text)["packages"]
    wanted = {**package["dependencies"], **package["devDependencies"]}
    assert package["private"] is True
    for name, version in wanted.items():
        assert lock[f"node_modules/{name}"]["version"] == version
    assert [folder for folder, entry in lock.items() if folder and not entry.get("integrity")] == []
    assert re.findall(r"https?:|://|\"resolved\"", text, re.IGNORECASE) == []


def test_the_recipe_contains_nothing_that_was_installed(recipe: Path) -> None:
    assert not (recipe / "node_modules").exists()
    assert not (recipe / "age-encryption.js").exists()


@pytest.mark.parametrize(
    "banned",
    [
        r"(?<![\w$.])eval\b",
        r"(?<![\w$.])Function\b",
        r"(?<![\w$.])import\b",
        r"\bfrom\s*[\"']",
        r"(?<![\w$.])(fetch|importScripts|require)\b",
        r"\b(XMLHttpRequest|WebSocket|EventSource|WebTransport|RTCPeerConnection|sendBeacon|Worker|SharedWorker)\b",
        r"(?<![\w$.])(document|window|navigator|localStorage|sessionStorage|indexedDB)\s*[.\[]",
        r"://|[\"'`](https?|wss?|data|blob|javascript):",
    ],
)
def test_the_bundle_generates_no_code_and_makes_no_requests(code: str, banned: str) -> None:
    assert re.findall(f".{{0,40}}{banned}.{{0,40}}", code) == []


def test_the_bundle_exports_what_pages_use(code: str) -> None:
    exports = re.findall(r"(?<![\w$.])export\s*\{(.*?)\}", code, re.DOTALL)
    assert len(exports) == 1
    assert sorted(part.split()[-1] for part in exports[0].split(",")) == NAMES


# In a browser -----------------------------------------------------------------------------------------------------


class Keys(NamedTuple):
    """A key pair from age-keygen."""

    file: Path
    identity: str
    recipient: str


def said(*words: str | Path, given: bytes = b"") -> bytes:
    return subprocess.run([tool(str(words[0])), *words[1:]], input=given, capture_output=True, check=True).stdout


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    file = tmp_path_factory.mktemp("keys") / "keys.txt"
    file.write_bytes(said("age-keygen"))
    return Keys(file, file.read_text().split()[-1], said("age-keygen", "-y", file).decode().strip())


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, bundle: Path) -> Path:
    """A page with only the bundle, which may load and run only files beside it."""
    folder = tmp_path_factory.mktemp("vendored")
    shutil.copy(bundle, folder)
    (folder / "index.html").write_text(HTML, encoding="utf-8")
    (folder / "page.js").write_text('import * as age from "./age-encryption.js";\nglobalThis.age = age;\n')
    return folder


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    with opened(browser) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url) if request.url != ICON else None)
        page.goto(address)
        assert page.evaluate("Object.keys(age).sort()") == NAMES
        yield page
        assert asked == [address, address + "page.js", address + "age-encryption.js"]


SEAL = """
async ([recipients, text]) => {
  const encrypter = new age.Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  const file = await encrypter.encrypt(text);
  return [Array.from(file), age.armor.encode(file)];
}
"""
OPEN = """
async ([identity, file]) => {
  const decrypter = new age.Decrypter();
  decrypter.addIdentity(identity);
  const bytes = typeof file === "string" ? age.armor.decode(file) : Uint8Array.from(file);
  return await decrypter.decrypt(bytes, "text");
}
"""
MAKE = "async () => { const made = await age.generateIdentity(); return [made, await age.identityToRecipient(made)]; }"


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_age_opens_what_the_browser_sealed(page: Page, keys: Keys, text: str) -> None:
    binary, armored = page.evaluate(SEAL, [[keys.recipient], text])
    assert bytes(binary).startswith(b"age-encryption.org/v1\n-> X25519 ")
    assert armored.startswith("-----BEGIN AGE ENCRYPTED FILE-----\n")
    assert armored.endswith("\n-----END AGE ENCRYPTED FILE-----\n")
    for sealed in (bytes(binary), armored.encode("ascii")):
        assert said("age", "--decrypt", "--identity", keys.file, given=sealed) == text.encode()


@pytest.mark.parametrize("armor", [False, True], ids=["binary", "armored"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_browser_opens_what_age_sealed(page: Page, keys: Keys, text: str, armor: bool) -> None:
    options = ["--armor"] if armor else []
    sealed = said("age", "--encrypt", "--recipient", keys.recipient, *options, given=text.encode())
    assert page.evaluate(OPEN, [keys.identity, sealed.decode("ascii") if armor else list(sealed)]) == text


def test_age_accepts_keys_that_the_browser_made(page: Page, keys: Keys, tmp_path: Path) -> None:
    identity, recipient = page.evaluate(MAKE)
    own = tmp_path / "own.txt"
    own.write_text(identity + "\n")
    assert said("age-keygen", "-y", own).decode().strip() == recipient
    assert page.evaluate("(identity) => age.identityToRecipient(identity)", keys.identity) == keys.recipient
    binary, _ = page.evaluate(SEAL, [[keys.recipient, recipient], "for two"])
    for file in (own, keys.file):
        assert said("age", "--decrypt", "--identity", file, given=bytes(binary)) == b"for two"


def test_the_browser_refuses_a_strangers_key_a_changed_file_and_an_invalid_recipient(page: Page, keys: Keys) -> None:
    binary, armored = page.evaluate(SEAL, [[keys.recipient], TEXTS["a sheet"]])
    stranger, _ = page.evaluate(MAKE)
    with pytest.raises(Error, match="no identity matched"):
        page.evaluate(OPEN, [stranger, armored])
    # Chromium hides why the stream broke.
    with pytest.raises(Error, match=r"invalid tag|Failed to fetch"):
        page.evaluate(OPEN, [keys.identity, [*binary[:-1], binary[-1] ^ 1]])
    with pytest.raises(Error, match="checksum"):
        page.evaluate(SEAL, [[keys.recipient[:-1] + ("q" if keys.recipient[-1] != "q" else "p")], "x"])

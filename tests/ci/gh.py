"""A stand-in for the program `gh`, as far as `courtly init --github` and the page for groups call it.

It asks the server that GH_ADDRESS names. It writes each call, with its standard input, into a file of the folder
GH_STANDS_IN.
It takes the words that `gh` takes, refuses others as `gh` does, and prints what `gh` prints.
"""

import binascii
import json
import os
import socket
import sys

FOLDER = os.environ["GH_STANDS_IN"]
STATUS = {200: "OK", 201: "Created", 204: "No Content"}


def call(method: str, path: str, body: object = None) -> tuple[int, str]:
    """Status and body of an answer. By a bare socket: a test calls this program dozens of times, and urllib loads slowly."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else b""
    place = os.environ["GH_ADDRESS"].removeprefix("http://")
    lines = [
        f"{method} {path} HTTP/1.1",
        f"Host: {place}",
        "Authorization: Bearer of-gh",
        f"Content-Length: {len(raw)}",
    ]
    host, _, port = place.partition(":")
    with socket.create_connection((host, int(port))) as wire:
        wire.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode() + raw)
        answer = b""
        while part := wire.recv(65_536):
            answer += part
    head, _, text = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), text.decode()


def stop(text: str, code: int = 1) -> None:
    """Exit as gh does."""
    print(text, file=sys.stderr)
    raise SystemExit(code)


def refusal(status: int, text: str) -> str:
    """The line that gh prints when GitHub refuses."""
    return f"gh: {json.loads(text or '{}').get('message', '')} (HTTP {status})"


def main(words: list[str]) -> None:
    """One call."""
    given = "" if sys.stdin.isatty() else sys.stdin.read()
    with open(f"{FOLDER}/calls.jsonl", "a") as log:
        seen = {key: value for key, value in os.environ.items() if "courtly-master-1-" in value}
        log.write(json.dumps({"words": words, "stdin": given, "environment": seen}) + "\n")
    if words[0] != "auth" and os.access(f"{FOLDER}/garbage", os.F_OK):
        print("panic: runtime error\n\x1b[31m")
        stop("panic: courtly-master-1-" + "5a" * 32, 2)
    match words:
        case ["auth", "token", "--hostname", "github.com"]:
            if os.access(f"{FOLDER}/signed-out", os.F_OK):
                stop("no oauth token")
            print("of-gh")
        case ["config", "get", "git_protocol", "--host", "github.com"]:
            print("https")
        case ["api", *options, "--method", method, path, "--input", "-"] | ["api", *options, "--method", method, path]:
            status, text = call(method, f"/{path}", given.encode() if words[-1] == "-" else None)
            if options == ["--include"]:
                print(f"HTTP/2.0 {status} {STATUS.get(status, 'Refused')}\nContent-Type: application/json\r\n\r")
            print(text, end="")
            if status >= 300:
                stop(refusal(status, text))
        case ["api", "--method", method, path, "-f", given_field]:
            status, text = call(method, f"/{path}", dict([given_field.split("=", 1)]))
            print(text, end="")
            if status >= 300:
                stop(refusal(status, text))
        case ["repo", "create", name, "--public" | "--private" as kind]:
            made = {"name": name.rpartition("/")[2], "private": kind == "--private"}
            status, text = call("POST", "/user/repos", made)
            if status != 201:
                stop(f"GraphQL: {json.loads(text)['message']} (createRepository)")
            print(f"https://github.com/{name}")
        case ["secret", "set", name, "--env", environment, "--repo", repository]:
            secret = f"/repos/{repository}/environments/{environment}/secrets/{name}"
            sealed = binascii.b2a_base64(given.rstrip("\r\n").encode(), newline=False).decode()
            status, text = call("PUT", secret, {"encrypted_value": sealed, "key_id": "1"})
            if status not in (201, 204):
                stop(f"failed to set secret: {refusal(status, text)[4:]}")
        case ["workflow", "run", name, "--repo", repository]:
            status, text = call("POST", f"/repos/{repository}/actions/workflows/{name}/dispatches", {"ref": "main"})
            if status not in (200, 204):
                stop(f"could not create workflow dispatch event: {refusal(status, text)[4:]}")
        case _:
            stop(f"unknown command {words} for gh", 2)


main(sys.argv[1:])

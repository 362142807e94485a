"""The forges that can host an archive: their addresses, as data. No other module contains an address of a forge.

An address is a template. `{server}` is the forge's own address, `{repository}` is `owner/name`, `{branch}` the branch with the archive, and
`{path}` the path of a file; their values keep their slashes. In `{filename}`, `{text}`, `{title}`, `{body}`, `{ref}`, `{since}` and
`{number}`, which are single parts of an address, slashes are escaped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from string import Formatter
from urllib.parse import quote

DEFAULT = "https://github.com"
"""The forge of an archive that names none."""
ADDRESS = re.compile(
    r"(?:https://[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?|http://(?:localhost|127\.0\.0\.1))(?::[0-9]{1,5})?",
    re.ASCII,
)
"""A forge's own address: no path, no account, no query; plain HTTP only on this machine."""
WHOLE = frozenset({"filename", "text", "title", "body", "ref", "since", "number"})
"""Blanks in whose values slashes are escaped too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """Addresses of a repository's pages and of its public API, as templates."""

    file: str
    folder: str
    new_file: str
    """The page for a new file with a given name."""
    filled_file: str | None
    """The page for a new file with a given name and text; None if the forge cannot prefill the text."""
    new_issue: str
    pull: str
    issue: str
    fork: str
    """The page that forks the repository for its visitor."""
    workflow: str
    """The page of a workflow, with the button that starts it for those with write access."""
    commits: str
    """API: the latest commit of a file."""
    raw: str
    """API: a file's bytes."""
    requests: str
    """API: pull requests and issues that changed since a time, newest first."""
    comments: str
    """API: the comments on a request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of forge."""

    name: str
    """Its name, for pages."""
    server: str | None
    """Its only address; None for a kind that anybody may run."""
    api: str
    """The address of its API."""
    bot: str
    """The name of the account that a job's own token writes as."""
    mail: str
    """The mail address that identifies an account as a commit's author. It has no mailbox."""
    own_mail: str
    """Mail address in the commits of the jobs themselves."""
    pages: str
    """Address of the site that it publishes for a repository; empty if it does not publish sites."""
    tells_editors: bool
    """True if its API shows who edited an issue. Otherwise somebody else's words could be taken for those of the issue's author."""
    ways: Ways


# Pages: docs.github.com, "Creating an issue from a URL query"; the query of /new is in wide use, but not documented.
GITHUB = Kind(
    name="GitHub",
    server=DEFAULT,
    api="https://api.github.com",
    bot="github-actions[bot]",
    mail="{account}+{login}@users.noreply.github.com",
    own_mail="courtly@users.noreply.github.com",
    pages="https://{owner}.github.io/{name}/",
    tells_editors=True,
    ways=Ways(
        file="{server}/{repository}/blob/{branch}/{path}",
        folder="{server}/{repository}/tree/{branch}/{path}",
        new_file="{server}/{repository}/new/{branch}?filename={filename}",
        filled_file="{server}/{repository}/new/{branch}?filename={filename}&value={text}",
        new_issue="{server}/{repository}/issues/new?title={title}&body={body}",
        pull="{server}/{repository}/pull/{number}",
        issue="{server}/{repository}/issues/{number}",
        fork="{server}/{repository}/fork",
        workflow="{server}/{repository}/actions/workflows/{filename}",
        commits="{api}/repos/{repository}/commits?path={filename}&sha={ref}&per_page=1",
        raw="{api}/repos/{repository}/contents/{path}?ref={ref}",
        requests="{api}/repos/{repository}/issues?state=all&sort=created&direction=desc&since={since}&per_page=50",
        comments="{api}/repos/{repository}/issues/{number}/comments?per_page=30",
    ),
)
# Pages: routers/web/web.go and routers/web/repo/editor.go in its source: the editor takes `filename` and no text.
# API: each instance shows its own at /api/swagger; forgejo.org/docs/latest/user/api-usage.
# Edits of issues: go-gitea/gitea#6454 (not in the API), #30807 (an edit through the API is not even recorded).
FORGEJO = Kind(
    name="Forgejo",
    server=None,
    api="{server}/api/v1",
    bot="forgejo-actions",
    mail="{login}@noreply.{host}",
    own_mail="courtly@noreply.{host}",
    pages="",
    tells_editors=False,
    ways=Ways(
        file="{server}/{repository}/src/branch/{branch}/{path}",
        folder="{server}/{repository}/src/branch/{branch}/{path}",
        new_file="{server}/{repository}/_new/{branch}/?filename={filename}",
        filled_file=None,
        new_issue="{server}/{repository}/issues/new?title={title}&body={body}",
        pull="{server}/{repository}/pulls/{number}",
        issue="{server}/{repository}/issues/{number}",
        fork="{server}/{repository}/fork",
        workflow="{server}/{repository}/actions?workflow={filename}",
        commits="{api}/repos/{repository}/commits?path={filename}&sha={ref}&limit=1&stat=false&verification=false&files=false",
        raw="{api}/repos/{repository}/raw/{path}?ref={ref}",
        requests="{api}/repos/{repository}/issues?state=all&since={since}&limit=50",
        comments="{api}/repos/{repository}/issues/{number}/comments",
    ),
)
KINDS = (GITHUB, FORGEJO)


def kind_of(server: str) -> Kind:
    """The kind of forge at an address; unknown addresses are assumed to be Forgejo."""
    return next((kind for kind in KINDS if kind.server == server), FORGEJO)


def host_of(server: str) -> str:
    """A forge's host name, for mail addresses."""
    return server.partition("://")[2].partition(":")[0]


@dataclass(frozen=True, slots=True)
class Place:
    """The place that hosts an archive: a forge's address, a repository and a branch there."""

    server: str
    repository: str
    branch: str

    @property
    def kind(self) -> Kind:
        """The kind of forge."""
        return kind_of(self.server)

    @property
    def api(self) -> str:
        """The address of the forge's API."""
        return self.kind.api.format(server=self.server)

    def template(self, way: str) -> str | None:
        """The template of one of `Ways`, with the data of this place filled in. Other blanks stay, such as a file's name or a number."""
        template = getattr(self.kind.ways, way)
        known = {
            "server": self.server, "api": self.api, "repository": quote(self.repository),
            "branch": quote(self.branch), "ref": quote(self.branch, safe=""),
        }  # fmt: skip
        return _fill(template, known) if template is not None else None

    def address(self, way: str, **blanks: str) -> str | None:
        """The address of one of `Ways`, with its blanks filled in; None if the forge has no such page."""
        template = self.template(way)
        return (
            _fill(template, {key: quoted(key, value) for key, value in blanks.items()})
            if template is not None
            else None
        )


WAYS = tuple(field.name for field in fields(Ways))


def quoted(blank: str, value: str) -> str:
    """Quote a value for a blank in an address."""
    return quote(value, safe="" if blank in WHOLE else "/")


def _fill(template: str, values: dict[str, str]) -> str:
    """Fill in some blanks of a template; the others stay."""
    parts = Formatter().parse(template)
    return "".join(
        before + ("" if blank is None else values.get(blank, f"{{{blank}}}")) for before, blank, _, _ in parts
    )

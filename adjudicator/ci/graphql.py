"""Catch-up's bulk queries to GitHub, in its query language GraphQL.

`nox -s github` checks them, and the answers of the mock GitHub in the tests, against the schema that GitHub publishes.
"""

from __future__ import annotations

from collections.abc import Sequence

PAGE, SMALL = 50, 10
"""Requests per page, usually and after a failure: GitHub gives up on a query that takes longer than ten seconds."""
COMMENTS = 50
"""Number of comments that are read with each request; if a request has more, its comments are queried separately."""

ACTOR = "__typename login ... on User { databaseId } ... on Bot { databaseId }"
OFFERS = (
    "ReadyForReviewEvent",
    "ReopenedEvent",
    "BaseRefChangedEvent",
    "HeadRefForcePushedEvent",
)
"""GitHub's types of the events that make a pull request eligible for intake."""


def kinds(events: Sequence[str]) -> str:
    """Types of events as values of GitHub's enumeration of timeline items, such as `READY_FOR_REVIEW_EVENT`."""
    words = ("".join(f"_{char}" if char.isupper() else char for char in event)[1:] for event in events)
    return ", ".join(word.upper() for word in words)


def _timeline(events: Sequence[str]) -> str:
    shown = " ".join(f"... on {event} {{ createdAt }}" for event in events)
    return f"timelineItems(last: 50, itemTypes: [{kinds(events)}]) {{ nodes {{ __typename {shown} }} }}"


COMMON = f"""__typename number state createdAt updatedAt
  author {{ {ACTOR} }}
  comments(first: {COMMENTS}) {{ totalCount nodes {{ viewerDidAuthor body }} }}"""
PULL = f"""fragment pull on PullRequest {{
  {COMMON}
  isDraft baseRefName headRefOid changedFiles
  files(first: 100) {{ nodes {{ path changeType }} }}
  {_timeline(OFFERS)}
}}"""
ISSUE = f"""fragment issue on Issue {{
  {COMMON}
  body lastEditedAt
  userContentEdits(first: 50) {{ totalCount nodes {{ editor {{ {ACTOR} }} }} }}
  {_timeline(("ReopenedEvent", "TransferredEvent"))}
}}"""
NEWEST = "orderBy: {field: UPDATED_AT, direction: DESC}"

PULLS = f"""query Pulls($owner: String!, $name: String!, $first: Int!, $after: String) {{
  repository(owner: $owner, name: $name) {{
    pullRequests(states: OPEN, first: $first, after: $after, {NEWEST}) {{
      pageInfo {{ hasNextPage endCursor }} nodes {{ ...pull }}
    }}
  }}
}}
{PULL}"""
"""A page of the open pull requests, latest change first."""
ISSUES = f"""query Issues(
  $owner: String!, $name: String!, $first: Int!, $after: String, $since: DateTime!, $states: [IssueState!]
) {{
  repository(owner: $owner, name: $name) {{
    issues(filterBy: {{since: $since, states: $states}}, first: $first, after: $after, {NEWEST}) {{
      pageInfo {{ hasNextPage endCursor }} nodes {{ ...issue }}
    }}
  }}
}}
{ISSUE}"""
"""A page of the issues in some states that changed since a time, latest change first."""
ONE = f"""query One($owner: String!, $name: String!, $number: Int!) {{
  repository(owner: $owner, name: $name) {{ issue(number: $number) {{ ...issue }} }}
}}
{ISSUE}"""
"""One issue."""


def files(count: int) -> str:
    """A query for `count` files, each by a commit ($c0, $c1, ...) and a path ($p0, ...): entry, type and text."""
    given = "".join(f", $c{at}: GitObjectID!, $p{at}: String!" for at in range(count))
    asked = "\n    ".join(
        f"f{at}: object(oid: $c{at}) {{ __typename ... on Commit {{ file(path: $p{at}) {{ ...file }} }} }}"
        for at in range(count)
    )
    return f"""query Files($owner: String!, $name: String!{given}) {{
  repository(owner: $owner, name: $name) {{
    {asked}
  }}
}}
fragment file on TreeEntry {{
  mode type size oid object {{ __typename ... on Blob {{ isBinary isTruncated text }} }}
}}"""

"""Reads code of a repository that is not checked out here, through GitHub's contents API.

It only ever asks; where and with which token, the user's own configuration and environment say,
never a repository. What the forge cannot give now is unreadable, which is not the same as gone.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final, NoReturn
from urllib.parse import quote, urljoin, urlsplit
from weakref import finalize

from remem.base.clock import Clock
from remem.base.errors import NotPossible, RememError
from remem.base.frozen import dataclass
from remem.code.code_reader import (
    MOST,
    Gap,
    NoText,
    Reading,
    Renamed,
    outside,
    plain_path,
    text_of,
    too_big,
)

if TYPE_CHECKING:
    import httpx

PUBLIC: Final = "https://api.github.com"
TOKENS: Final = ("REMEM_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN")
"""Variables of the environment that may hold a token, the first one wins."""

_TRIES: Final = 4
_PAUSE: Final = 1.0
"""Seconds before the first repetition; each further one waits twice as long."""
_PATIENCE: Final = 60.0
"""Seconds that a limit is waited for; a longer one is told."""
_SECONDS: Final = 20.0
_PAGES: Final = 10
_REDIRECTS: Final = 3
_SEARCHED: Final = 60
"""Files of a repository whose lines are all looked through: each is one request."""
_SEARCHED_BYTES: Final = 4 << 20
_LINK: Final = "120000"
_JSON: Final = "application/vnd.github+json"
_RAW: Final = "application/vnd.github.raw+json"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,99}/[A-Za-z0-9._-]{1,100}")
_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_NEXT: Final = re.compile(r'<([^>]+)>\s*;[^,]*\brel="?next"?')


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A file of a tree."""

    id: str
    """Of its bytes."""
    size: int


class GitHubFailed(RememError):
    """The forge gave no answer: no connection, no permission, or too many requests."""

    code = "github-failed"
    exit_code = 4


@dataclass(frozen=True, slots=True)
class Access:
    """How the forge is asked."""

    token: str = field(repr=False)
    api: str = PUBLIC
    """Where its API begins."""
    clock: Clock = field(default_factory=Clock)
    sleep: Callable[[float], None] | None = None
    """How it is waited; `None` = as the system does."""

    @classmethod
    def told(cls, environment: Mapping[str, str], api: str = "") -> Access | None:
        """Return what the environment and the user's configuration say; `None` without a token."""
        token = next((environment[name].strip() for name in TOKENS if environment.get(name)), "")
        return cls(token, api or PUBLIC) if token else None


class GitHub:
    """The code of a repository at the forge, at one commit."""

    def __init__(self, repository: str, access: Access, ref: str = "HEAD") -> None:
        """Say what is read; nothing is asked yet.

        Raises:
            NotPossible: No repository is called that, or a token would travel unprotected.
        """
        name = repository.rpartition("/")[2]
        if not _NAME.fullmatch(repository) or name in {".", ".."}:
            raise NotPossible(f"`{repository}` is not a repository", hint="write `owner/name`")
        where = urlsplit(access.api)
        if where.scheme != "https" and where.hostname not in _LOCAL:
            raise NotPossible(
                f"`{access.api}` is refused: tokens are only sent over `https`",
                hint="set `github.api` to an `https` URL in your own config",
            )
        self._access = access
        self._base = f"{access.api.rstrip('/')}/repos/{quote(repository)}"
        self._repository = repository
        self._ref = ref
        self._commit = ""
        self._trees: dict[str, Mapping[str, _Leaf] | None] = {}
        self._kept: httpx.Client | None = None
        self._gave_up: GitHubFailed | None = None

    def commit(self) -> str:
        """Return the id of the commit that is read; an error where there is no such one.

        Raises:
            GitHubFailed: The forge gave no answer.
            NotPossible: There is no such repository or ref, as far as the token sees.
        """
        if not self._commit:
            answer = self._get(f"/commits/{quote(self._ref, safe='')}")
            if answer.status_code in {404, 409, 422}:
                raise NotPossible(
                    f"GitHub has no `{self._ref}` of `{self._repository}`",
                    hint="check the name, and whether the token may read it",
                )
            self._commit = str(_mapping(self._fine(answer)).get("sha", ""))
        return self._commit

    def texts(self, paths: Collection[str], most: int = MOST) -> Mapping[str, Reading]:
        return {path: self._text(path, self.commit(), most) for path in paths}

    def texts_at(self, places: Collection[tuple[str, str]]) -> Mapping[tuple[str, str], Reading]:
        self.commit()  # says whether the repository can be seen at all
        return {(commit, path): self._text(path, commit, MOST) for commit, path in places}

    def renamed(self, since: Mapping[str, str]) -> Mapping[str, Renamed]:
        """Return what the comparison with the known commit calls renamed, or has unchanged."""
        found: dict[str, Renamed] = {}
        for known in sorted({each for each in since.values() if each}):
            moved = dict(self._renames(known))
            found |= {
                path: (moved[path],)
                for path, was in since.items()
                if was == known and path in moved
            }
            rest = [path for path, was in since.items() if was == known and path not in found]
            found |= self._unchanged(known, rest) if rest else {}
        return found

    def tracked(self) -> Collection[str] | None:
        """Return the paths of a small tree; of a large one each file would be a request."""
        listed = self._listed(self.commit())
        if listed is None or len(listed) > _SEARCHED:
            return None
        whole = sum(leaf.size for leaf in listed.values())
        return tuple(listed) if whole <= _SEARCHED_BYTES else None

    def _unchanged(self, known: str, paths: Sequence[str]) -> Mapping[str, Renamed]:
        """Return where the very bytes that files had in a commit lie now: two requests."""
        was, now = self._listed(known), self._listed(self.commit())
        if was is None or now is None:
            return {}
        homes: dict[str, list[str]] = {}
        for path, leaf in now.items():
            homes.setdefault(leaf.id, []).append(path)
        return {
            path: tuple(homes[was[path].id])
            for path in paths
            if path in was and was[path].id in homes
        }

    def _listed(self, commit: str) -> Mapping[str, _Leaf] | None:
        """Return the files of a commit by their paths; `None` where not all are told."""
        if commit not in self._trees:
            self._trees[commit] = self._tree(commit)
        return self._trees[commit]

    def _tree(self, commit: str) -> Mapping[str, _Leaf] | None:
        try:
            answer = self._get(f"/git/trees/{quote(commit, safe='')}?recursive=1")
        except GitHubFailed:
            return None
        told = _mapping(answer) if answer.status_code == 200 else {}
        entries = told.get("tree")
        is_whole = isinstance(entries, list) and not told.get("truncated")
        return dict(_leaves(entries or ())) if is_whole else None

    def _text(self, path: str, commit: str, most: int) -> Reading:
        plain = plain_path(path)
        if not plain:
            return outside(path)
        address = f"/contents/{quote(plain)}?ref={quote(commit, safe='')}"
        try:
            answer = self._get(address)
            if answer.status_code == 404:
                return NoText(Gap.MISSING, "there is no such file")
            return self._content(address, _json(self._fine(answer)), most)
        except GitHubFailed as error:
            return NoText(Gap.UNREADABLE, str(error))

    def _content(self, address: str, found: object, most: int) -> Reading:
        if isinstance(found, list):
            return NoText(Gap.BINARY, "it is a folder")
        if not isinstance(found, dict):
            raise _odd()
        kind = found.get("type")
        if kind in {"symlink", "submodule", "dir"}:
            name = {"symlink": "link", "dir": "folder"}.get(str(kind), str(kind))
            return NoText(Gap.BINARY, f"it is a {name}")
        size = found.get("size")
        if isinstance(size, int) and size > most:
            return too_big(most)
        content = found.get("content")
        if found.get("encoding") == "base64" and isinstance(content, str) and (content or not size):
            return text_of(_decoded(content))
        return self._raw(address, most)

    def _raw(self, address: str, most: int) -> Reading:
        """Read a file that is too long for a JSON answer."""
        answer = self._get(address, _RAW, most)
        if answer.status_code == 404:
            return NoText(Gap.MISSING, "there is no such file")
        data = self._fine(answer).content
        return too_big(most) if len(data) > most else text_of(data)

    def _renames(self, known: str) -> Iterator[tuple[str, str]]:
        address = f"/compare/{known}...{self.commit()}?per_page=100"
        for _ in range(_PAGES):
            answer = self._get(address)
            if answer.status_code == 404:
                return  # the forge does not know that commit
            for each in _mapping(self._fine(answer)).get("files") or ():
                if isinstance(each, dict) and each.get("status") == "renamed":
                    yield str(each.get("previous_filename", "")), str(each.get("filename", ""))
            following = _NEXT.search(answer.headers.get("link", ""))
            if following is None:
                return
            address = following[1]

    def _fine(self, answer: httpx.Response) -> httpx.Response:
        """Return an answer that is one.

        Raises:
            GitHubFailed: It says that nothing is given.
        """
        if answer.status_code == 200:
            return answer
        hint = ""
        if answer.status_code in {401, 403}:
            hint = "check whether the token is valid and may read the repository"
        raise GitHubFailed(f"GitHub answered with {answer.status_code}", hint=hint)

    def _get(self, address: str, accept: str = _JSON, most: int = MOST) -> httpx.Response:
        """Ask, and ask again where that may help.

        Raises:
            GitHubFailed: There is no connection, or the limit is reached for longer than a minute.
        """
        if self._gave_up is not None:
            raise self._gave_up
        try:
            return self._patiently(address, accept, most)
        except GitHubFailed as error:
            # Whoever asks for a thousand files shall not wait a thousand times.
            self._gave_up = error
            raise

    def _patiently(self, address: str, accept: str, most: int) -> httpx.Response:
        from httpx import HTTPError, InvalidURL

        for number in range(_TRIES):
            is_last = number == _TRIES - 1
            try:
                answer = self._followed(address, accept, most)
            except (HTTPError, InvalidURL) as error:
                if is_last or isinstance(error, InvalidURL):
                    raise GitHubFailed(
                        "GitHub cannot be reached", hint="check the network and `github.api`"
                    ) from error
                self._wait(_PAUSE * (1 << number))
                continue
            pause = self._pause(answer, number)
            if pause is None or is_last:
                return answer
            self._wait(pause)
        raise AssertionError("the last try returns or raises")

    def _pause(self, answer: httpx.Response, number: int) -> float | None:
        """Return how long to wait before asking again; `None` = this is the answer.

        Raises:
            GitHubFailed: It would be longer than a minute.
        """
        if answer.status_code >= 500:
            return _PAUSE * (1 << number)
        if answer.status_code not in {403, 429}:
            return None
        told = answer.headers.get("retry-after", "")
        spent = answer.headers.get("x-ratelimit-remaining") == "0"
        if not told and not spent:
            return _PAUSE * (1 << number) if answer.status_code == 429 else None
        pause = _seconds(told)
        if pause is None:
            reset = _seconds(answer.headers.get("x-ratelimit-reset", "")) or 0.0
            now: float = self._access.clock.now().timestamp()
            pause = max(reset - now, 0.0) + _PAUSE
        if pause > _PATIENCE:
            raise GitHubFailed(
                f"GitHub's rate limit lasts another {pause / 60:.0f} min",
                hint="try again later, or check the code in a local checkout",
            )
        return pause

    def _followed(self, address: str, accept: str, most: int) -> httpx.Response:
        """Ask once; a repository that was renamed is followed within the same host."""
        url = self._url(address)
        for _ in range(_REDIRECTS):
            answer = self._once(url, accept, most)
            if answer.status_code not in {301, 302, 307, 308}:
                return answer
            url = self._url(urljoin(url, answer.headers.get("location", "")))
        return answer

    def _once(self, url: str, accept: str, most: int) -> httpx.Response:
        """Ask once; of an answer no more is read than may be used."""
        import httpx

        headers = {"Accept": accept, "Authorization": f"Bearer {self._access.token}"}
        limit = most * 2 + (1 << 20)  # base64, and what stands around it
        with self._client().stream("GET", url, headers=headers) as answer:
            data = bytearray()
            for part in answer.iter_bytes():
                data += part
                if len(data) > limit:
                    break
            kept = [
                (name, value)
                for name, value in answer.headers.items()
                if name not in {"content-encoding", "content-length", "transfer-encoding"}
            ]
            return httpx.Response(
                answer.status_code, headers=kept, content=bytes(data), request=answer.request
            )

    def _url(self, address: str) -> str:
        """Return the whole address.

        Raises:
            GitHubFailed: It is another host's, which shall not see the token.
        """
        url = address if "://" in address else f"{self._base}{address}"
        if urlsplit(url)[:2] != urlsplit(self._access.api)[:2]:
            raise GitHubFailed("GitHub redirects to another host, which is refused")
        return url

    def _client(self) -> httpx.Client:
        if self._kept is None:
            import httpx

            agent = {"User-Agent": "remem", "X-GitHub-Api-Version": "2022-11-28"}
            # Certificates take a while to load, and where there is no `https` there are none.
            secure = urlsplit(self._access.api).scheme == "https"
            self._kept = httpx.Client(
                headers=agent, timeout=_SECONDS, follow_redirects=False, verify=secure
            )
            finalize(self, self._kept.close)
        return self._kept

    def _wait(self, seconds: float) -> None:
        if self._access.sleep is not None:
            self._access.sleep(seconds)
            return
        from time import sleep

        sleep(seconds)


def _leaves(entries: Iterable[object]) -> Iterator[tuple[str, _Leaf]]:
    for each in entries:
        if not isinstance(each, dict) or each.get("type") != "blob" or each.get("mode") == _LINK:
            continue
        path, name, size = each.get("path"), each.get("sha"), each.get("size")
        if isinstance(path, str) and isinstance(name, str) and isinstance(size, int):
            yield path, _Leaf(name, size)


def _json(answer: httpx.Response) -> Any:
    try:
        return answer.json()
    except (ValueError, RecursionError):
        _raise_odd()


def _mapping(answer: httpx.Response) -> Mapping[str, Any]:
    found = _json(answer)
    return found if isinstance(found, dict) else {}


def _decoded(content: str) -> bytes:
    try:
        return b64decode("".join(content.split()), validate=True)
    except ValueError:
        _raise_odd()


def _seconds(told: str) -> float | None:
    return float(told) if told.isdecimal() else None


def _odd() -> GitHubFailed:
    return GitHubFailed("GitHub sent an invalid answer", hint="check `github.api`")


def _raise_odd() -> NoReturn:
    raise _odd() from None

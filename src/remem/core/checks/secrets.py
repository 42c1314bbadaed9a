"""What should not be in memory: secrets, hidden characters, instructions to do something risky.

It looks at texts and lets into memory only what a person acknowledged; it edits nothing and
promises nothing: a text without findings is a text in which these rules found nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from itertools import groupby
from typing import Final

from remem.base.errors import Unacknowledged
from remem.base.frozen import dataclass
from remem.base.text import Hidden, count
from remem.core.checks.hidden_text import unseen
from remem.core.checks.risks import risks
from remem.model.change import Intent

ACKNOWLEDGED: Final = "acknowledged"
"""Argument of an intent: ids of what was found and shown, or true for all of it."""
_SHOWN: Final = 4
"""Characters of a secret that may be shown: enough to recognise it, too few to use it."""
_MIN_ENTROPY: Final = 2.8
"""Bits a character; words of a language that hold no digit stay below or fail the class test."""
_LONGEST_RUN: Final = 12
"""Hidden characters that one finding spells out."""


class Kind(StrEnum):
    """What was found."""

    SECRET = "secret"
    HIDDEN = "hidden-characters"
    RISKY = "risky-instruction"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing in a text that a person should look at before an agent reads it."""

    kind: Kind
    message: str
    """What it is, redacted, as one sentence without a full stop; it may be shown everywhere."""
    start: int
    """In characters, from 0."""
    end: int
    """The end excluded."""
    id: str = ""
    """Six hexadecimal digits under which a person acknowledges it; another text has another id."""

    @property
    def is_kept_out(self) -> bool:
        """Tell whether it does not even come in as a candidate unseen: what may be redacted."""
        return self.kind is not Kind.RISKY


class _Late:
    """A pattern that is compiled when a text first needs it: most texts need none."""

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self._pattern = pattern
        self._flags = flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._pattern, self._flags)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self._compiled.finditer(text)

    def is_in(self, text: str) -> bool:
        return self._compiled.search(text) is not None


@dataclass(frozen=True, slots=True)
class _Secret:
    """A kind of credential that can be told by its beginning."""

    name: str
    needle: str
    """Stands in every one of them: without it the pattern is not tried."""
    pattern: _Late


def _prefixed(name: str, needle: str, rest: str) -> _Secret:
    return _Secret(name, needle, _Late(rf"(?<![A-Za-z0-9_-]){re.escape(needle)}{rest}"))


_WORDISH: Final = r"[A-Za-z0-9_-]"
_SECRETS: Final = (
    _prefixed("an AWS access key", "AKIA", r"[A-Z2-7]{16}(?![A-Za-z0-9])"),
    _prefixed("a temporary AWS access key", "ASIA", r"[A-Z2-7]{16}(?![A-Za-z0-9])"),
    *(
        _prefixed("a GitHub token", needle, r"[A-Za-z0-9]{30,}")
        for needle in ("ghp_", "gho_", "ghu_", "ghs_", "ghr_")
    ),
    _prefixed("a GitHub token", "github_pat_", r"\w{40,}"),
    *(
        _prefixed("a GitLab token", needle, rf"{_WORDISH}{{20,}}")
        for needle in ("glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glft-", "glsoat-")
    ),
    *(
        _prefixed("a Slack token", needle, rf"{_WORDISH}{{20,}}")
        for needle in ("xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xapp-")
    ),
    *(
        _prefixed("a Stripe key", needle, r"[A-Za-z0-9]{16,}")
        for needle in ("sk_live_", "rk_live_", "sk_test_", "whsec_")
    ),
    _prefixed("an Anthropic key", "sk-ant-", rf"{_WORDISH}{{24,}}"),
    _prefixed("an OpenAI key", "sk-proj-", rf"{_WORDISH}{{24,}}"),
    _prefixed("an API key", "sk-", r"[A-Za-z0-9]{32,}"),
    _prefixed("a Google API key", "AIza", rf"{_WORDISH}{{35}}"),
    _prefixed("a Google client secret", "GOCSPX-", rf"{_WORDISH}{{24,}}"),
    _prefixed("a Groq key", "gsk_", r"[A-Za-z0-9]{40,}"),
    _prefixed("a Notion token", "ntn_", r"[A-Za-z0-9]{40,}"),
    _prefixed("a Twilio key", "SK", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    _prefixed("a Mailgun key", "key-", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    _prefixed("a PlanetScale token", "pscale_tkn_", rf"{_WORDISH}{{32,}}"),
    _prefixed("a PlanetScale password", "pscale_pw_", rf"{_WORDISH}{{32,}}"),
    *(
        _prefixed("a Doppler token", needle, r"[A-Za-z0-9]{40,}")
        for needle in ("dp.pt.", "dp.st.", "dp.ct.", "dp.sa.")
    ),
    _prefixed("a Sentry token", "sntrys_", r"[A-Za-z0-9_=+/]{40,}"),
    _prefixed("a Sentry token", "sntryu_", r"[0-9a-f]{40,}"),
    _prefixed("a Replicate token", "r8_", r"[A-Za-z0-9]{37}(?![A-Za-z0-9])"),
    _prefixed("a Vercel token", "vercel_blob_rw_", rf"{_WORDISH}{{30,}}"),
    _prefixed("a Figma token", "figd_", rf"{_WORDISH}{{36,}}"),
    _prefixed("an Alibaba key", "LTAI", r"[A-Za-z0-9]{16,24}(?![A-Za-z0-9])"),
    _prefixed("a Square token", "EAAA", rf"{_WORDISH}{{56,}}"),
    _Secret(
        "a Terraform token", ".atlasv1.", _Late(rf"[A-Za-z0-9]{{14}}\.atlasv1\.{_WORDISH}{{60,}}")
    ),
    _Secret("a New Relic key", "NRAL", _Late(r"(?<![A-Za-z0-9])[0-9a-f]{36}NRAL\b")),
    _Secret("a Telegram token", ":AA", _Late(rf"(?<!\d)\d{{8,10}}:AA{_WORDISH}{{32,}}")),
    _Secret(
        "a Discord token",
        ".",
        _Late(rf"(?<![\w-])[MNO][A-Za-z0-9]{{23,27}}\.{_WORDISH}{{6}}\.{_WORDISH}{{27,}}"),
    ),
    _Secret(
        "a storage key",
        "AccountKey=",
        _Late(r"AccountKey=[A-Za-z0-9+/]{60,}={0,2}"),
    ),
    _prefixed("a Google access token", "ya29.", rf"{_WORDISH}{{30,}}"),
    _prefixed("an npm token", "npm_", r"[A-Za-z0-9]{36}"),
    _prefixed("a PyPI token", "pypi-", rf"{_WORDISH}{{50,}}"),
    _prefixed("a SendGrid key", "SG.", rf"{_WORDISH}{{16,}}\.{_WORDISH}{{16,}}"),
    _prefixed("a DigitalOcean token", "dop_v1_", r"[0-9a-f]{40,}"),
    _prefixed("a Hugging Face token", "hf_", r"(?:[A-Za-z]{30,}|[A-Za-z0-9]{34}(?!\w))"),
    _prefixed("a Shopify token", "shpat_", r"[0-9a-fA-F]{32}"),
    _prefixed("a Docker token", "dckr_pat_", rf"{_WORDISH}{{20,}}"),
    _prefixed("a Databricks token", "dapi", r"[0-9a-f]{32}"),
    _prefixed("a Vault token", "hvs.", rf"{_WORDISH}{{24,}}"),
    _prefixed("a Grafana token", "glsa_", r"\w{32,}"),
    _prefixed("a Linear key", "lin_api_", r"[A-Za-z0-9]{32,}"),
    _prefixed("an Atlassian token", "ATATT3x", r"[A-Za-z0-9_=-]{40,}"),
    _prefixed("an age key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{50,}"),
    _prefixed("an age key", "age-secret-key-1", r"[A-Za-z0-9]{50,}"),
    _prefixed(
        "a JSON web token", "eyJ", rf"{_WORDISH}{{10,}}\.eyJ{_WORDISH}{{10,}}\.{_WORDISH}{{10,}}"
    ),
    _Secret(
        "a private key",
        "PRIVATE KEY",
        # In code quotes by itself it only says how one begins.
        _Late(r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(?!`)[^-]{0,8000}"),
    ),
    _Secret(
        "a webhook URL",
        "/services/T",
        _Late(r"https://hooks\.[a-z.]+/services/T\w{6,}/B\w{6,}/\w{16,}"),
    ),
)
# It begins with what is fixed, for which a long text is searched at once.
_URL_CREDENTIALS: Final = _Late(
    r"://(?<=[A-Za-z0-9+.-]{2}://)[^\s/:@'\"`<>]{0,100}:(?P<secret>[^\s/@'\"`<>]{3,200})@[\w.-]"
)
# These two look at a text in lower case: that takes a third of the time of `re.IGNORECASE`.
_KEYWORDS: Final = _Late(
    r"passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key"
    r"|private[_-]?key|credential"
)
_KEYWORD_VALUE: Final = _Late(
    # Of an assembly of .NET the token of its public key names who made it.
    r"(?<!publickey)(?:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|(?:access"
    r"|private)[_-]?key|credential)s?"
    r"(?:[_-](?:key|id|value|access[_-]?key))?"
    r"""["'`*]{0,3}\s{0,3}(?::=|=>|[:=]|\bis\b)\s{0,3}(?:bearer\s+)?["'`]?"""
    r"(?P<secret>[^\s\"'`,;]{8,200})"
)
_BEARER: Final = _Late(
    r"(?:authorization|x-[a-z-]*key)\s*:\s*(?:bearer|basic"
    r"|token)?\s*(?P<secret>[^\s\"'`,;<>{}$]{16,400})"
    r"|\bbearer\s+(?P<bearer>[^\s\"'`,;<>{}$]{20,400})"
)
_NAMED: Final = _Late(
    r"\b(?:auth[ _-]token|access[ _-]token|api[ _-]key|secret[ _-]key|password|passphrase) "
    r"[\"'`]?(?P<secret>[a-z0-9+/_=-]{20,200})(?![^\s\"'`.,;)])"
)
_ASSIGNED: Final = _Late(
    r"^\s*(?:export\s+)?[a-z][a-z0-9_]*(?:key|token|secret|password|passwd|pwd|credentials?|auth)"
    r"[a-z0-9_]*\s*=\s*[\"']?(?P<secret>[^\s\"'`]{16,200})",
    re.MULTILINE,
)
_NETRC: Final = _Late(r"\bmachine\s+\S+\s+login\s+\S+\s+password\s+(?P<secret>\S{8,200})")
_ALIKE: Final = (("İ", "i"), ("ı", "i"), ("ſ", "s"))
"""Letters that pass for others without regard to case; the first becomes two in lower case."""
_PLACEHOLDER: Final = _Late(
    r"[<>{}()\[\]]|^\$|^%|\.\.\.|…|\*\*|xxx|example|sample|dummy|change.?me|your"
    r"|placeholder|redacted"
    r"|secret|passw|todo|foobar|insert|environ|getenv|process\.env|config\.|settings\.|self\."
    r"|1234567|abcdef|://",
    re.IGNORECASE,
)
_REFERENCE: Final = _Late(
    r"^(?:aws|azuread|azurerm|cloudflare|digitalocean|docker|github|gitlab|google|hcloud|helm"
    r"|kubernetes|oci|openstack|random|snowflake|tls|vault|vsphere)"
    r"(?:_[a-z]+)+(?:\.[a-z_]+\d?){2,}$"
)
"""A value that another file gives, told by who provides it: `aws_kms_key.s3.arn`. Words alone
do not tell it from a passphrase, and in a URL it would stand in braces."""
_STOCK_PASSWORDS: Final = _Late(
    r"^(?:hunter2$|pass|pw|pwd|user|admin|root|postgres|test|guest|token)"
)


def examine(text: str) -> tuple[Finding, ...]:
    """Return what a person should look at, in the order of the text."""
    found = [*_hidden(text), *_secrets(text), *_risks(text)]
    ordered = sorted(found, key=lambda finding: (finding.start, finding.end))
    return tuple(replace(each, id=_id_of(each, text)) for each in ordered)


def _id_of(found: Finding, text: str) -> str:
    parts = (found.kind, found.message, str(found.start), text)
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:6]


def redacted(text: str) -> str:
    """Return `text` with every secret cut to its first four characters and its length.

    For lists, logs and answers to programs; the entry's own page shows it in full.
    """
    shown, place = [], 0
    for start, end, _ in secret_spans(text):
        shown += [text[place:start], _cut(text[start:end])]
        place = end
    return "".join((*shown, text[place:]))


def _hidden(text: str) -> Iterator[Finding]:
    """Yield one finding for each unbroken run of hidden characters of one kind."""
    if text.isascii() and text.isprintable():
        return  # as nearly every line is
    numbered = enumerate(unseen(text))
    for (kind, _), group in groupby(numbered, key=lambda n: (n[1].kind, n[1].offset - n[0])):
        run = [character for _, character in group]
        start, end = run[0].offset, run[-1].offset + 1
        characters = count(run, "hidden character")
        yield Finding(Kind.HIDDEN, f"{characters} ({kind}): {_spelled(run)}", start, end)


def _spelled(run: list[Hidden]) -> str:
    more = "…" if len(run) > _LONGEST_RUN else ""
    return "".join(character.shown for character in run[:_LONGEST_RUN]) + more


def _secrets(text: str) -> Iterator[Finding]:
    for start, end, name in secret_spans(text):
        yield Finding(Kind.SECRET, f"looks like {name}: `{_cut(text[start:end])}`", start, end)


def _cut(secret: str) -> str:
    return f"{secret[:_SHOWN]}… ({count(len(secret), 'character')})"


def secret_spans(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return spans that do not overlap, in order, each with what it looks like."""
    spans: list[tuple[int, int, str]] = []
    for candidate in sorted(_candidates(text), key=lambda span: (span[0], -span[1])):
        if not spans or candidate[0] >= spans[-1][1]:
            spans.append(candidate)
    return tuple(spans)


def _candidates(text: str) -> Iterator[tuple[int, int, str]]:
    for secret in _SECRETS:
        if secret.needle not in text:
            continue
        for match in secret.pattern.finditer(text):
            if not _is_placeholder(match[0][len(secret.needle) :]):
                yield *match.span(), secret.name
    if "://" in text:
        for match in _URL_CREDENTIALS.finditer(text):
            if not _is_placeholder(match["secret"]) and not _is_stock(match["secret"]):
                yield *match.span("secret"), "a password in a URL"
    lowered = _lowered(text)
    if "bearer" in lowered or "authorization" in lowered or "key" in lowered:
        for match in _BEARER.finditer(lowered):
            start, end = match.span(match.lastgroup or 0)
            if _is_random(text[start:end]):
                yield start, end, "an authorization header"
    if not _KEYWORDS.is_in(lowered):
        return
    for match in _KEYWORD_VALUE.finditer(lowered):
        start, end = match.span("secret")
        if _is_random(text[start:end]):
            yield start, end, "a named secret"
    for pattern in (_ASSIGNED, _NAMED, _NETRC):
        for match in pattern.finditer(lowered):
            start, end = match.span("secret")
            if _is_random(text[start:end]):
                yield start, end, "a named secret"


def _lowered(text: str) -> str:
    """Return a text in lower case, each character in its place."""
    if not text.isascii():
        for letter, plain in _ALIKE:
            text = text.replace(letter, plain)
    return text.lower()


def _is_placeholder(value: str) -> bool:
    return _PLACEHOLDER.is_in(value) or len(set(value)) < 4


def _is_stock(value: str) -> bool:
    return _STOCK_PASSWORDS.is_in(value.casefold()) and len(value) < 12


def _is_random(value: str) -> bool:
    """Tell a generated value from a word, a path or a reference by its characters."""
    if _is_placeholder(value) or "/" in value[:2] or value.count("-") > 4:
        return False
    if _REFERENCE.is_in(value):
        return False
    has_digit = any(character.isdigit() for character in value)
    has_letter = any(character.isalpha() for character in value)
    return has_digit and has_letter and _entropy(value) >= _MIN_ENTROPY


def _entropy(value: str) -> float:
    """Return the Shannon entropy of its characters in bits a character."""
    total = len(value)
    return -sum(n / total * math.log2(n / total) for n in Counter(value).values())


def _risks(text: str) -> Iterator[Finding]:
    for message, start, end in risks(text):
        yield Finding(Kind.RISKY, message, start, end)


def need_clean(texts: Iterable[str], intent: Intent, name: str) -> None:
    """Let texts into memory only when every `‼` in them was acknowledged.

    Raises:
        Unacknowledged: It was not.
    """
    need_all_clean({name: texts}, intent)


def need_all_clean(named: Mapping[str, Iterable[str]], intent: Intent) -> None:
    """Let several through only when all that hides in any of them was acknowledged.

    Raises:
        Unacknowledged: Something was not; it names all of them.
    """
    found = {
        name: [
            each
            for text in dict.fromkeys(texts)
            for each in examine(text)
            if not is_acknowledged(intent, each)
        ]
        for name, texts in named.items()
    }
    told = [_warning(name, suspects) for name, suspects in found.items() if suspects]
    if told:
        raise Unacknowledged(
            "; ".join(told),
            hint="review it, then acknowledge it or remove it",
            ids=tuple(each.id for suspects in found.values() for each in suspects),
        )


def _warning(name: str, suspects: Sequence[Finding]) -> str:
    is_risky = any(each.kind is Kind.RISKY for each in suspects)
    what = "; ".join(
        f"{'' if is_risky or each.kind is not Kind.SECRET else 'what '}{each.message} ({each.id})"
        for each in suspects
    )
    return f"suspicious content in {name}: {what}" if is_risky else f"{name} contains {what}"


def is_acknowledged(intent: Intent, found: Finding) -> bool:
    """Tell whether a person saw what was found: it by its id, or all of it."""
    seen = intent.arguments.get(ACKNOWLEDGED)
    return seen is True or (isinstance(seen, list) and found.id in seen)

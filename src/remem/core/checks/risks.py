"""Texts that would turn an agent against its instructions or the people it works for.

An attack asks: it names an act and what it is done to. A rule *about* such acts denies them, quotes
them or tells what they cost, and is none. It looks at words and proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

_RULES: Final = (
    r"(?:instructions?|rules?|guidelines?|guidance|directives?|directions?|prompts?|conventions?"
    r"|restrictions?|polic(?:y|ies)|orders|safeguards?|constraints?)"
)
_EARLIER: Final = (
    r"(?:previous|prior|above|earlier|preceding|system|your|its|all|any|every|other|existing"
    r"|project['’]?s?|developer['’]?s?|operator['’]?s?|user['’]?s?|safety|security|these|those)"
)
_SECRET: Final = (
    r"(?:\.env\b|environment variables?|`(?:env|printenv)`|api[ _-]?keys?\b|secrets?\b"
    r"|credentials?\b|passwords?\b|tokens?\b|private keys?\b|ssh keys?\b|\.ssh/|id_rsa|\.aws/"
    r"|\.netrc|\.npmrc|\*?\.pem\b|session cookies|\bvault\b|(?:customer |user )?database dump"
    r"|/etc/(?:passwd|shadow)|(?:private|whole|entire) repository|\bthe repository\b|source code"
    r"|\$\{?\w*(?:KEY|TOKEN|SECRET|PASSWORD)\w*)"
)
_AWAY: Final = (
    r"(?:https?://|\b\d{1,3}(?:\.\d{1,3}){3}\b|\w@[\w.]+|\bwebhook\b|\bgist\b|\bpublic\b"
    r"|github\.com/|every \w* ?request|pull request|\byour answers?\b|\bissues?\b|bug report"
    r"|\blogs?\b|branch name|commit message|\breadme\b|\bticket\b|\bdns\b|following address"
    r"|whoever)"
)
_GUARDS: Final = (
    r"(?:security|scann?(?:er|ing|s)?|branch protection|firewall|signature|certificates?|ssl|tls"
    r"|selinux|pre-?commit|commit hooks?|csrf|authentication|authorization|sandbox(?:ing)?|audit"
    r"|code review|safety checks?|the gate|permission checks?)"
)
_PEOPLE: Final = (
    r"(?:users?|humans?|persons?|people|reviewers?|maintainers?|owners?|developers?|anyone|anybody"
    r"|operator|security team)"
)
_DENIED: Final = re.compile(
    r"\b(?:never|not|don['’]t|do not|must not|cannot|no|avoid|without|forbid(?:den)?|instead of"
    r"|rather than|nobody|reject|refuse|block|prevent|against|nie|niemals|nicht|keine?n?)\b"
    r"[^,;:.!?\n]{0,50}$"
    r"|(?:不要|禁止|不得|切勿|避免|严禁)[^，。；\n]{0,12}$"
)
_TOLD: Final = re.compile(
    r"anti-?pattern|\bis (?:an attack|data|forbidden|not allowed|banned|blocked|verboten)\b"
    r"|\bare (?:forbidden|untrusted|blocked|banned)\b|prompt injection|\bha(?:s|ve) cost\b"
    r"|\bcost us\b|\bhid\b|\bfails the gate\b",
    re.IGNORECASE,
)
_ASKED_OF: Final = re.compile(
    r"\breject\b|\b(?:asks?|tells?) the (?:model|agent) to\b", re.IGNORECASE
)
_QUOTED: Final = re.compile(r"[\"“”„«»「」][^\"“”„«»「」\n]*$")
_SENTENCE: Final = re.compile(r"(?<=[.!?。！？])\s+|\n")


@dataclass(frozen=True)
class Risk:
    """One kind of thing that an instruction to an agent should not hold unseen."""

    message: str
    needles: tuple[str, ...]
    """One of them stands in every such text in lower case: else the pattern is not tried."""
    source: str
    denies: bool = False
    """The attack is itself a denial, `do not tell the user`, so that another one is no excuse."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(self.source, re.IGNORECASE)


_FROM_ELSEWHERE: Final = (
    r"(?![^\n]{0,60}\b(?:you find|found|in (?:issues|tickets|comments|web)|from (?:issues|tickets"
    r"|web)|inside|aus tickets))"
)
RISKS: Final = (
    Risk(
        "an agent is told to leave its instructions aside",
        (
            *("ignor", "disregard", "forget", "overrid", "bypass", "disobey", "discard", "obey"),
            *("follow", "cancel", "void", "precedence", "instruction", "pretend", "act as if"),
            *("you are now", "vergiss", "missacht", "befolg", "umgeh", "oubli", "olvid", "act a"),
            *("you are dan", "above this line", "no longer", "reveal", "忽略", "无视", "無視"),
            *("忘记", "忘れ", "遵守", "违反", "規則", "指示"),
        ),
        r"\b(?:ignore|disregard|forget|override|bypass|disobey|discard|break|circumvent)\s+"
        rf"(?=(?:[\w'’]+\s+){{0,4}}?{_EARLIER}\s)(?:(?:{_EARLIER}|the|of|my|content|core)\s+)+"
        rf"(?:\w+\s+)?{_RULES}\b"
        rf"|\b(?:ignore|disregard|discard|disobey|bypass) (?:the )?{_RULES} (?:above|before|in)\b"
        r"|\b(?:ignore|discard|disregard|forget) (?:all others|everything (?:above|you))"
        r"|\bforget (?:everything|all)(?: that)? you (?:were|have)"
        rf"|\b(?:do not|don['’]t|never|must not|no longer|stop)\s+(?:follow(?:ing)?|obey(?:ing)?"
        rf"|heed(?:ing)?|listen(?:ing)? to|comply(?:ing)? with)\b{_FROM_ELSEWHERE}[^\n.]{{0,30}}"
        rf"\b(?:{_RULES}|operator|developer|claude|agents)\b"
        r"|\bact against\b[^\n.]{0,30}\b(?:rules|anti-?patterns|conventions|guidelines)\b"
        rf"|\b(?:earlier|previous|prior|above|all|safety)\b[^\n.]{{0,30}}\b{_RULES}\b[^\n.]{{0,20}}"
        r"\b(?:are|were|is)\s+(?:now )?(?:void|cancell?ed|suspended|revoked|a test|invalid)\b"
        r"|\btakes? precedence over (?:every|all|any|each)\b"
        r"|\b(?:obey|follow) (?:this|these|the following)\b[^\n.]{0,30}\b(?:note|instead"
        r"|only|over)\b"
        r"|\bfollow only this\b|\byour new (?:instructions|rules|task)\b"
        rf"|\b{_RULES} (?:are|is) less important than this\b"
        r"|\btreat everything above\b|\byou are (?:now in\b|now (?:an?|the)\b|dan\b)"
        r"|\bpretend (?:that )?you (?:have no|are not|do not|don['’]t)\b"
        r"|\bact as if\b[^\n.]{0,40}\b(?:not exist|never existed|did not)"
        r"|\breveal (?:your|the) (?:system )?prompt\b"
        r"|\b(?:ignoriere?n?|vergiss|vergessen sie|missachte|umgehe)\b[^\n.]{0,40}"
        r"\b(?:anweisungen|vorgaben|regeln|instruktionen|richtlinien)\b"
        r"|\bbefolge\b[^\n.]{0,25}\bnicht\b[^\n.]{0,30}\b(?:regeln|anweisungen|vorgaben)\b"
        r"|\b(?:ignor(?:e[rz]?|ez|a|en|ar)|oublie[rz]?|olvida)\b[^\n.]{0,30}"
        r"\b(?:instructions|consignes|règles|instrucciones|reglas)\b"
        r"|(?:忽略|无视|無視|忘记|不要遵守|不遵守|违反)[^\n。]{0,14}"
        r"(?:指令|指示|提示|说明|規則|规则|命令|约定)|(?:指示|命令|ルール)[^\n。]{0,4}(?:無視|忘れ)",
        denies=True,
    ),
    Risk(
        "credentials or private data are sent away",
        (
            *("send", "post", "upload", "forward", "mail", "copy", "includ", "attach", "print"),
            *("share", "leak", "exfiltrat", "append", "push", "encode", "gist", "write", "tell"),
            *("curl", "wget", "nc ", "scp", "sende", "schick", "lade", "发送", "上传", "发到"),
            *("put", "paste", "submit", "fetch", "add"),
        ),
        r"\b(?:send|post|upload|forward|e-?mail|copy|include|attach|print|share|leak|append|push"
        r"|(?:base64-)?encode|write|tell|collect|put|paste|submit|add|read|make a gist of)\b"
        rf"[^\n]{{0,80}}?{_SECRET}[^\n]{{0,80}}?{_AWAY}"
        rf"|\b(?:send|post|upload|forward|add|put|paste"
        rf"|submit)\b[^\n]{{0,60}}?https?://[^\n]{{0,80}}{_SECRET}"
        rf"|\bmake a gist of\b[^\n]{{0,60}}{_SECRET}"
        r"|\bexfiltrate (?:the|all|any|every)\b|\bleak (?:the|all|any)\b"
        rf"|\b(?:curl|wget|nc|scp|http|fetch)\b[^\n]{{0,200}}"
        r"(?:@?\.env\b|/etc/passwd|id_rsa|\.netrc|\.aws/|\$\{?\w*(?:KEY|TOKEN|SECRET|PASSWORD))"
        r"|\b(?:cat|env|printenv)\b[^\n|]{0,80}\|\s*(?:nc|curl|wget|base64)\b|--post-file\b"
        r"|\b(?:sende|schicke|lade|übertrage|kopiere|poste)\b[^\n]{0,60}"
        r"(?:\.env\b|schlüssel|passwörter|zugangsdaten|geheimnisse|tokens?\b)[^\n]{0,60}"
        r"(?:https?://|@|hoch\b|server)"
        r"|[把将][^\n。]{0,20}(?:\.env|密钥|密码|令牌|凭证|token)[^\n。]{0,20}"
        r"(?:发送|上传|发到|传到)",
    ),
    Risk(
        "a download is piped into an interpreter",
        ("curl", "wget", "iwr", "invoke-", "base64"),
        r"\b(?:curl|wget|iwr|Invoke-WebRequest|base64\s+(?:-d|-D|--decode))\b[^\n|]{0,300}\|\s*"
        r"(?:sudo\s+)?(?:-E\s+)?(?:env\s+)?(?:/\S{1,40}/)?"
        r"(?:(?:ba|z|da|k|fi)?sh|python3?|node|perl|ruby|iex|Invoke-Expression)\b"
        r"|(?:\b(?:ba|z|da|k)?sh\b|\bsource\b|\beval\b|\.|-c|-e)\s+[\"'\\]*(?:<\("
        r"|\$\()\s*(?:curl|wget)\b",
    ),
    Risk(
        "a download is run unseen",
        (
            *("curl", "wget", "iwr", "invoke-", "base64", "http", "npx", "postinstall", "decode"),
            *("download", "git clone", "fetch"),
        ),
        r"\bInvoke-Expression\b[^\n]{0,60}\bWebClient\b|\bDownloadString\("
        r"|\b(?:execute|run|install|follow)\b[^\n]{0,40}\b(?:scripts?|page"
        r"|files?|instructions?|extension|commands?|binary|code|whatever)\b[^\n]{0,30}"
        r"https?://(?!localhost|127\.)"
        r"|https?://(?!localhost|127\.)\S+[^\n]{0,60}\b(?:and|then|must|&&)\b[^\n]{0,30}"
        r"\b(?:runs?|executes?|start it|follow (?:it|them)|do what|obey|be run)\b"
        r"|\b(?:fetch|curl|wget)\b[^\n]{0,80}(?:\band\b|\bthen\b|&&)[^\n]{0,30}"
        r"\b(?:run|execute|pipe it|python3?|sh|bash|obey)\b"
        r"|\bwhatever\b[^\n]{0,40}https?://|\bnpx\s+(?:-y\s+)?[\w@/.-]+@latest\b"
        r"|\bpip3? install\b[^\n]{0,40}\s-\S*i\S*\s+http://"
        r"|\bdecode\b[^\n.]{0,50}\b(?:execute|run) it\b"
        r"|\bpostinstall\b[^\n.]{0,40}\bdownloads?\b|https?://\S+[^\n]{0,40}authorized_keys"
        r"|\bgit clone \S+\s*(?:&&|;)\s*\.?[\w/]"
        r"|\b(?:führe|starte|lade)\b[^\n]{0,40}https?://[^\n]{0,60}\b(?:aus|herunter)\b"
        r"|(?:运行|执行|下载)[^\n。]{0,40}https?://|从\s?https?://[^\n。]{0,40}(?:执行|运行)",
    ),
    Risk(
        "checks before a commit or push are skipped: `--no-verify`",
        ("--no-verify", "commit -n"),
        r"(?<![\w-])--no-verify(?![\w-])|\bgit commit -n\b",
    ),
    Risk(
        "checks or reviews are disabled",
        (
            *("disabl", "deactivat", "bypass", "turn", "switch", "skip", "approve", "accept"),
            *("merg", "permission", "comment out", "remove", "delete", "mark all", "admin"),
            *(
                "grant",
                "codeowners",
                "whitelist",
                "force-push",
                "chmod",
                "verify=false",
                "reject_un",
            ),
            *("run the", "überspring", "schalt", "deaktivier", "跳过", "关闭", "禁用", "绕过"),
        ),
        rf"\b(?:disable|deactivate|bypass|turn off|switch off"
        rf"|circumvent)\b[^.\n]{{0,25}}\b{_GUARDS}\b"
        rf"|\b(?:turn|switch)\b[^.\n]{{0,30}}\b{_GUARDS}\b[^.\n]{{0,15}}\boff\b"
        rf"|\b{_GUARDS} (?:protection |checks? )?off\b"
        r"|\bskip\b[^.\n]{0,12}\b(?:the tests?|all (?:tests|checks)|code reviews?|reviews?"
        r"|the (?:gate|scanner|checks|review|security \w+))\b"
        r"|--dangerously-skip-permissions|\bNODE_TLS_REJECT_UNAUTHORIZED\s*=\s*[\"']?0"
        r"|\bverify\s*=\s*False\b|\bchmod\s+(?:-R\s+)?0?777\b"
        r"|\b(?:approve|merge) your own\b"
        r"|\bauto-?(?:approve|accept)\b[^.\n]{0,25}\b(?:all|every|any|tool)\b"
        r"|\bmerge without (?:waiting|reviews?|asking|approval)"
        r"|\bnever ask (?:the user |anyone )?(?:for )?(?:permission|confirmation)"
        r"|\b(?:do not|don['’]t|never) run (?:the )?(?:linter|tests?|gate|scanner|checks)\b"
        r"|\bcomment out (?:the |all )?(?:failing )?(?:assertions?|tests?|checks?)\b"
        r"|\bremove (?:the |all )?(?:authentication|authorization|auth|security|permission|access)"
        r" checks?\b"
        r"|\bdelete (?:the |all )?audit logs?\b|\bmark all\b[^.\n]{0,30}\bfalse positives?\b"
        r"|\b(?:give|grant)\b(?![^.\n]{0,40}\bonly\b)[^.\n]{0,30}"
        r"\b(?:admin(?:istrator)? rights|admin access|everything|public (?:read|write)"
        r"|full access)\b"
        r"|\badd yourself to\b|\bwhitelist all\b"
        r"|\bforce-?push\b[^.\n]{0,20}\b(?:over|to) (?:the )?protected\b"
        r"|\büberspringe\b[^.\n]{0,20}\b(?:tests?|prüfung\w*|reviews?)\b"
        r"|\b(?:schalte|deaktiviere)\b[^.\n]{0,30}"
        r"(?:scanner|sicherheits\w*|firewall|branch-?schutz|prüfung\w*)"
        r"|(?:跳过|关闭|禁用|绕过)[^\n。]{0,6}(?:检查|测试|扫描|安全|审查|评审|防火墙)",
    ),
    Risk(
        "an agent is told to keep something from the people it works for",
        (
            *("n't", "n’t", "not ", "never ", "without ", "hide", "conceal", "secret", "omit"),
            *("traces", "silently", "nobody", "no one", "lie ", "pretend", "claim", "deny"),
            *("disguis", "backdate", "someone else", "does not exist", "erwähn", "versteck"),
            *("erfahren", "verrat", "verheimlich", "告诉", "隐瞒", "clear the", "white text"),
        ),
        r"\b(?:do not|don['’]t|never|must not)\s+(?:tell|inform|notify|alert|let)\s+"
        rf"(?:the\s+|a\s+|any\s+|your\s+)?{_PEOPLE}\b"
        r"(?!['’]s|\s+(?:which|whether|their|more|how|what))"
        r"|\bwithout\s+(?:telling|informing|notifying|alerting|asking)\s+"
        rf"(?:the\s+|a\s+|any\s+|your\s+)?{_PEOPLE}\b"
        r"|\b(?:do not|don['’]t|never)\s+(?:mention|report|show|log|reveal|disclose|list)\s+"
        r"(?:this|these|it|that you)\b"
        r"|\b(?:omit|hide|conceal) (?:this|these|it) (?:line|change|rule|instruction|step"
        r"|note|from)"
        r"|\b(?:hide|conceal|disguise) (?:the|this|your) (?:change|outgoing|payload|request|command"
        r"|instruction|commit)\w*"
        r"|\bkeep (?:this|it)\b[^.\n]{0,25}\bsecret\b"
        rf"|\b{_PEOPLE}\s+must (?:not|never) (?:know|find out|learn"
        rf"|notice)\b[^.\n]{{0,12}}\b(?:this|it)\b"
        rf"|\b{_PEOPLE} (?:do not|don['’]t|doesn['’]t|does not|won['’]t|never) (?:notice|see the)\b"
        r"|\b(?:remove|clear|erase|delete)\b[^.\n]{0,40}\b(?:shell|bash|command) history\b"
        r"|\b(?:remove|erase|cover) (?:the |all |your )?(?:traces|tracks) of (?:this|the step|your)"
        r"|\bso that (?:nobody|no one|the user|the change)\b[^.\n]{0,25}"
        r"\b(?:sees?|notices?|noticed|knows?|nothing)\b"
        r"|\bwhere (?:nobody|no one) (?:looks|sees)\b"
        rf"|\blie to (?:the )?{_PEOPLE}\b|\bpretend (?:that )?(?:the )?(?:tests?|checks?"
        rf"|build|scan)"
        r"|\b(?:claim|say)\b[^.\n]{0,25}\bthat (?:nothing|it does not exist|all tests)"
        r"|\bdeny that\b|\bbackdate the\b|\bcommit as someone else\b|\bsecretly (?:add"
        r"|send|run|copy"
        r"|install|change)\b"
        r"|\berwähne\b[^.\n]{0,60}\bnicht\b|\bverstecke (?:die|den|das|diese)\b"
        r"|\bdavon nichts erfahren\b|\bverrate\b[^.\n]{0,30}\b(?:nicht|nichts)\b"
        r"|(?:不要|别|勿)告诉(?:用户|任何人)|[向对]用户隐瞒",
        denies=True,
    ),
    Risk(
        "an image address carries a query, which tells its server that it was shown",
        ("![", "<img"),
        r"!\[[^\]\n]{0,200}\]\(\s*<?https?://[^)\s]{1,500}\?[^)\s]"
        r"|<img\b[^>]{0,300}\bsrc\s*=\s*[\"']?https?://[^\"'>\s]{1,500}\?",
    ),
)


def risks(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield what is asked for that a person should see first: message, start and end."""
    lowered = text.lower()
    for risk in RISKS:
        for needle in risk.needles:
            if needle in lowered:
                yield from _found(risk, text)
                break


def _found(risk: Risk, text: str) -> Iterator[tuple[str, int, int]]:
    for match in risk.pattern.finditer(text):
        if not _is_spoken_of(text, match.start(), match.end(), denies=risk.denies):
            yield risk.message, *match.span()


def _is_spoken_of(text: str, start: int, end: int, *, denies: bool) -> bool:
    """Tell whether an act is denied, quoted or told of, and not asked for."""
    begin = max((at.end() for at in _SENTENCE.finditer(text, 0, start)), default=0)
    close = _SENTENCE.search(text, end)
    before, behind = text[begin:start], text[end : close.start() if close else len(text)]
    if _QUOTED.search(before) and any(mark in behind for mark in '"“”«»」'):
        return len(before.strip(' "“„')) > 0
    if not denies and _DENIED.search(before.casefold()):
        return True
    if denies and re.search(
        r"\b(?:reject|asks? the model to|tells? the agent to)\b", before.lower()
    ):
        return True
    told = text[max(begin - 20, 0) : start] + " … " + behind
    return _TOLD.search(told) is not None

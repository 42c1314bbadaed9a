"""Texts that would turn an agent against its instructions or the people it works for.

An attack asks: it names an act and what it is done to. A rule *about* such acts denies them, quotes
them or tells what they cost, and is none. It looks at words and proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern

_RULES: Final = (
    r"(?:instructions?|rules?|guidelines?|guidance|directives?|directions?|prompts?|conventions?"
    r"|restrictions?|polic(?:y|ies)|orders|safeguards?|constraints?)"
)
_EARLIER: Final = (
    r"(?:previous|prior|above|earlier|preceding|system|your|its|my|all|any|every|other|existing"
    r"|project['’]?s?|developer['’]?s?|operator['’]?s?|user['’]?s?|safety|security|these|those)"
)
_VARIABLE: Final = (
    r"\$\{?\w*(?:(?:api|access|secret|private|auth|ssh|deploy|signing)_?key|token|secrets?"
    r"|password)s?\b"
)
"""A variable that holds a secret, by its name."""
_SECRET: Final = (
    r"(?:(?<![\w)])\.env\b|environment variables?|`(?:env|printenv)`|api[ _-]?keys?\b|secrets?\b"
    r"|credentials?\b|passwords?\b|tokens?\b|private keys?\b|ssh keys?\b|\.ssh/|id_rsa|\.aws/"
    r"|\.netrc|\.npmrc|\*?\.pem\b|session cookies|\bvault\b|(?:customer |user )?database dump"
    r"|/etc/(?:passwd|shadow)|(?:private|whole|entire) repository|\bthe repository (?:to|at)\b"
    r"|source code"
    r"|(?:customer|personal|payment|production|private) (?:table|data|records)\b|env vars\b"
    r"|browser (?:cookies|history|profile)|login cookies|\bkeychain\b|\bseed phrase|\bkubeconfig\b"
    r"|\.kube/|\.gnupg|\.docker/config|(?:chat|conversation) history|\bhome (?:folder|directory)"
    rf"|{_VARIABLE})"
)
_AWAY: Final = (
    r"(?:https?://|\b\d{1,3}(?:\.\d{1,3}){3}\b|\w@[\w.]+|\bwebhook\b|\bgist\b|\bpublic\b"
    r"|github\.com/|every \w* ?request|pull request|\byour answers?\b|\bissues?\b|bug report"
    r"|\blogs?\b|branch name|commit message|\breadme\b|\bticket\b|\bdns\b|following address"
    r"|\bimages?\b|\bpastebin\b|\bftp\b|\bas a comment\b"
    r"|\b(?:external|third-party|remote|foreign|outside) (?:servers?|services?|hosts?|sites?)\b"
    r"|whoever)"
)
_GUARDS: Final = (
    r"(?:security|scann?(?:er|ing|s)?|branch protection|firewall|signature|certificates?|ssl|tls"
    r"|selinux|pre-?commit|commit hooks?|csrf|authentication|authorization|sandbox(?:ing)?|audit"
    r"|code review|safety checks?|the gate|permission (?:checks?|prompts?)|linter|type ?check(?:er"
    r"|s|ing)|integrity checks?|two-factor|2fa|mfa|anti-?virus|guardrails?|(?:required|mandatory)"
    r" (?:reviews?|approvals?|checks)|strict mode|secret (?:detection|scanning)|code signing)"
)
_PEOPLE: Final = (
    r"(?:users?|humans?|persons?|people|reviewers?|maintainers?|owners?|developers?|anyone|anybody"
    r"|operator|security team)"
)
_DENIED: Final = lazy_pattern(
    r"\b(?:never|not|don['’]t|do not|must not|cannot|no|avoid|without|forbid(?:den)?|instead of"
    r"|rather than|nobody|bans|banned|banning|reject|refuse|block|prevent|against|nie|niemals"
    r"|nicht|keine?n?)\b"
    r"[^,;:.!?\n]{0,50}$"
    r"|(?:不要|禁止|不得|切勿|避免|严禁)[^，。；\n]{0,12}$|[❌✗⛔🚫🔴][^\n]{0,50}$"
)
_DENIED_BEHIND: Final = lazy_pattern(
    r"[`'\"\s]*[をはでもにがとの][\u3040-\u30ff\u4e00-\u9fff]{0,10}"
    r"(?:しない|せず|禁止|ないこと|てはいけない|てはならない|使わない|使うな|不可)"
)
"""Japanese denies at the end, and ties what is denied to it by a particle."""
_DESCRIBED: Final = lazy_pattern(
    r"(?<!keep )(?<!by )\b(?:attempting|attempts|attempted) to (?:use )?[`'\"]?$"
)
"""Before an act: someone is said to try it, and nobody is asked to."""
_TOLD: Final = lazy_pattern(
    r"anti-?pattern|\bis (?:an attack|data|forbidden|not allowed|banned|blocked|verboten)\b"
    r"|\bare (?:forbidden|untrusted|blocked|banned)\b|prompt injection|\bha(?:s|ve) cost\b"
    r"|\bcost us\b|\bhid\b|\bfails the gate\b",
    re.IGNORECASE,
)
_QUOTED: Final = lazy_pattern(r"[\"“”„«»「」][^\"“”„«»「」\n]*$")
_SENTENCE: Final = lazy_pattern(r"(?<=[.!?。！？])\s+|\n")


@dataclass(frozen=True)
class Risk:
    """One kind of thing that an instruction to an agent should not hold unseen."""

    message: str
    needles: tuple[str, ...]
    """One of them stands in every such text in lower case: else the pattern is not tried."""
    source: str
    begins: tuple[str, ...] = ()
    """More of them, that count where a word begins with them: `sprint` prints nothing."""
    denies: bool = False
    """The attack is itself a denial, `do not tell the user`, so that another one is no excuse."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Finds it in any text."""
        return re.compile(self.source, re.IGNORECASE)

    @cached_property
    def lower_pattern(self) -> re.Pattern[str]:
        """Finds the same in text in lower case, three times as fast.

        What begins at a word is tried at the beginning of words alone, all of it at once, and no
        letter is compared in both cases.
        """
        lowered = re.sub(r"(\\.)|([A-Z])", lambda at: at[1] or at[2].lower(), self.source)
        every = _alternatives(lowered)
        at_words = [each.removeprefix(r"\b") for each in every if each.startswith(r"\b")]
        grouped = [rf"\b(?:{'|'.join(at_words)})"] if at_words else []
        return re.compile("|".join((*grouped, *(e for e in every if not e.startswith(r"\b")))))


def _alternatives(source: str) -> list[str]:
    """Split a pattern at each `|` that stands in no group and no set of characters."""
    found = [""]
    depth, is_set = 0, False
    for token in re.findall(r"\\.|\[\^?\]?|.", source, re.DOTALL):
        if is_set:
            is_set = token != "]"
        elif token.startswith("["):
            is_set = True
        elif token == "|" and depth == 0:
            found.append("")
            continue
        else:
            depth += (token == "(") - (token == ")")
        found[-1] += token
    return found


_CLAUSE: Final = r"(?:(?![.;] |\b(?:never|not|nor)\b|\*\*)[^\n])"
"""A character of the same clause, which nothing denies."""
_ASKED: Final = (
    r"(?:^|[.:;!?,\n*>-]\s*|\b(?:you|please|and|then|so|agents?|must|should|always|simply|just"
    r"|now)\s+)"
)
"""What stands before an imperative."""
_FROM_ELSEWHERE: Final = (
    r"(?![^\n]{0,60}\b(?:you find|found|inside|aus tickets|(?:in|from|of) (?:an? |the |any )?"
    r"(?:issues?|tickets?|comments?|web|tools?|e-?mails?|pages?|documents?|logs?|retrieved|fetched"
    r"|external|untrusted|third)\b))"
)
_LEFT_ASIDE: Final = "tells an agent to ignore its instructions"
_SENT_AWAY: Final = "sends credentials or private data away"
_RUN_UNSEEN: Final = "runs a download without review"
_DISABLED: Final = "disables checks or reviews"
_KEPT_FROM: Final = "tells an agent to hide something from people"
RISKS: Final = (
    Risk(
        _LEFT_ASIDE,
        (
            *("ignor", "disregard", "forget", "overrid", "bypass", "disobey", "discard", "obey"),
            *("follow", "cancel", "void", "precedence", "instruction", "pretend", "act as if"),
            *("you are now", "vergiss", "missacht", "befolg", "umgeh", "oubli", "olvid", "act a"),
            *("you are dan", "above this line", "no longer", "reveal", "忽略", "无视", "無視"),
            *("忘记", "忘れ", "遵守", "违反", "規則", "指示", "listen", "heed", "comply"),
        ),
        r"\b(?:ignore|disregard|forget|override|bypass|disobey|discard|break|circumvent)\s+"
        rf"(?=(?:[\w'’]+\s+){{0,4}}?{_EARLIER}\s)(?:(?:{_EARLIER}|the|of|my|content|core)\s+)+"
        rf"(?:\w+\s+)?{_RULES}\b"
        rf"|\b(?:ignore|disregard|discard|disobey|bypass) (?:the )?{_RULES} (?:above|before|in)\b"
        r"|\b(?:ignore|discard|disregard|forget) (?:all others|everything (?:above|you))"
        r"|\bforget (?:everything|all)(?: that)? you (?:were|have)"
        r"|\b(?:do not|don['’]t|never|must not|no longer|stop)\s+(?:obey(?:ing)?|heed(?:ing)?"
        r"|listen(?:ing)? to|comply(?:ing)? with)\s+(?:the |your |any |a )?(?:users?|humans?|person"
        r"|maintainers?|owners?)\b"
        rf"|{_ASKED}(?:do not|don['’]t|never|not|no longer|stop)\s+(?:follow(?:ing)?|obey(?:ing)?"
        rf"|heed(?:ing)?|listen(?:ing)? to|comply(?:ing)? with)\b{_FROM_ELSEWHERE}[^\n.]{{0,30}}"
        rf"\b(?:{_RULES}|operator|developer|claude|agents)\b"
        r"|\bact against\b[^\n.]{0,30}\b(?:rules|anti-?patterns|conventions|guidelines)\b"
        rf"|\b(?:earlier|previous|prior|above|all|safety)\b[^\n.]{{0,30}}\b{_RULES}\b[^\n.]{{0,20}}"
        r"\b(?:are|were|is)\s+(?:now )?(?:void|cancell?ed|suspended|revoked|a test|invalid)\b"
        r"|\btakes? precedence over (?:every|all|any|each)\b"
        r"|\b(?:obey|follow) (?:(?:this|these|the following)(?: (?:note|text|file|message|entry"
        r"|instructions?|rules?|line))?) (?:instead(?! of)|only|over)\b|\bobey this note\b"
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
        _SENT_AWAY,
        (
            *("send", "post", "upload", "forward", "mail", "copy", "includ", "attach"),
            *("share", "leak", "exfiltrat", "append", "push", "encode", "gist", "write", "tell"),
            *("curl", "wget", "nc ", "scp", "sende", "schick", "lade", "发送", "上传", "发到"),
            *("put", "paste", "submit", "fetch", "add"),
        ),
        r"\b(?:send|post|upload|forward|e-?mail|copy|include|attach|print|share|leak|append|push"
        r"|(?:base64-)?encode|write|tell|collect|put|paste|submit|add|read|make a gist of)\b(?=\s)"
        rf"{_CLAUSE}{{0,80}}?{_SECRET}{_CLAUSE}{{0,80}}?{_AWAY}"
        rf"|\b(?:send|post|upload|forward|add|put|paste"
        rf"|submit)\b{_CLAUSE}{{0,60}}?https?://(?:\S*{_VARIABLE}|\S+\s{_CLAUSE}{{0,80}}{_SECRET})"
        rf"|\bmake a gist of\b[^\n]{{0,60}}{_SECRET}"
        r"|\bexfiltrate (?:the|all|any|every)\b|\bleak (?:the|all|any)\b"
        rf"|\b(?:curl|wget|nc|scp|http|fetch)\b(?:(?!authorization|-token\b|-key\b|\s-u\b"
        rf"|localhost|127\.)"
        rf"[^\n]){{0,200}}(?:(?<![\w)])@?\.env\b|/etc/passwd|id_rsa|\.netrc|\.aws/|{_VARIABLE})"
        r"|\b(?:cat|env|printenv)\b[^\n|]{0,80}\|\s*(?:nc|curl|wget|base64)\b|--post-file\b"
        r"|\b(?:sende|schicke|lade|übertrage|kopiere|poste)\b[^\n]{0,60}"
        r"(?:\.env\b|schlüssel|passwörter|zugangsdaten|geheimnisse|tokens?\b)[^\n]{0,60}"
        r"(?:https?://|@|hoch\b|server)"
        r"|[把将][^\n。]{0,20}(?:\.env|密钥|密码|令牌|凭证|token)[^\n。]{0,20}"
        r"(?:发送|上传|发到|传到)",
        begins=("print",),
    ),
    Risk(
        "pipes a download into an interpreter",
        ("curl", "wget", "iwr", "invoke-", "base64"),
        r"\b(?:curl|wget|iwr|Invoke-WebRequest|base64\s+(?:-d|-D|--decode))\b[^\n|]{0,300}\|\s*"
        r"(?:sudo\s+)?(?:-E\s+)?(?:env\s+)?(?:/\S{1,40}/)?"
        r"(?:(?:ba|z|da|k|fi)?sh|python3?|node|perl|ruby|iex|Invoke-Expression)\b"
        r"|(?:\b(?:ba|z|da|k)?sh\b|\bsource\b|\beval\b|\.|-c|-e)\s+[\"'\\]*(?:<\("
        r"|\$\()\s*(?:curl|wget)\b",
    ),
    Risk(
        _RUN_UNSEEN,
        (
            *("curl", "wget", "iwr", "invoke-", "base64", "http", "npx", "postinstall", "decode"),
            *("download", "git clone", "fetch"),
        ),
        r"\bInvoke-Expression\b[^\n]{0,60}\bWebClient\b|\bDownloadString\("
        r"|\b(?:execute|run|install|follow)\b[^\n]{0,40}\b(?:scripts?|page"
        r"|files?|instructions?|extension|commands?|binary|code|whatever)\b[^\n]{0,30}"
        r"https?://(?!localhost|127\.)"
        r"|https?://(?!localhost|127\.)\S+[^\n]{0,60}\b(?:and|then|must|&&)\b[^\n]{0,30}"
        r"\b(?:(?:runs?|executes?|starts?|follows?|source) (?:it|them|that|what|the"
        r" (?:file|script|binary|result|installer))|do what|obey|be run)\b"
        r"|\b(?:fetch|curl|wget)\b[^\n]{0,80}(?:\band\b|\bthen\b|&&)[^\n]{0,30}"
        r"\b(?:run|execute|pipe it|python3?|sh|bash|obey)\b"
        r"|\bwhatever\b[^\n]{0,40}https?://"
        r"|\b(?:always|every|each|first)\b[^\n]{0,30}\bnpx\s+(?:-y\s+)?[\w@/.-]+@latest\b"
        r"|\bnpx\s+(?:-y\s+)?[\w@/.-]+@latest\b[^\n]{0,25}\b(?:always|every|each|before (?:you"
        r"|any))\b"
        r"|\bpip3? install\b[^\n]{0,40}\s-\S*i\S*\s+http://"
        r"|\bdecode\b[^\n.]{0,50}\b(?:execute|run) it\b"
        r"|\bpostinstall\b[^\n.]{0,40}\bdownloads?\b|https?://\S+[^\n]{0,40}authorized_keys"
        r"|\bgit clone \S+\s*(?:&&|;)\s*(?!cd\b)\.?[\w/]"
        r"|\b(?:führe|starte|lade)\b[^\n]{0,40}https?://[^\n]{0,60}\b(?:aus|herunter)\b"
        r"|(?:运行|执行|下载)[^\n。]{0,40}https?://|从\s?https?://[^\n。]{0,40}(?:执行|运行)",
    ),
    Risk(
        "skips commit checks: `--no-verify`",
        ("--no-verify", "commit -n"),
        r"(?<![\w-])--no-verify(?![\w-])|\bgit commit -n\b",
    ),
    Risk(
        _DISABLED,
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
        _KEPT_FROM,
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
        r"|\b(?:omit|hide|conceal) (?:this|these|it) (?:(?:line|change|rule|instruction|step"
        r"|note)\b"
        rf"|from (?:the |your |any )?(?:{_PEOPLE}|diff|review|summary)\b)"
        r"|\b(?:hide|conceal|disguise) (?:the|this|your) (?:change|outgoing|payload|request|command"
        r"|instruction|commit)\w*"
        r"|\bkeep (?:this|it)\b[^.\n]{0,25}\bsecret\b"
        rf"|\b{_PEOPLE}\s+must (?:not|never) (?:know|find out|learn"
        rf"|notice)\b[^.\n]{{0,12}}\b(?:this|it)\b"
        rf"|\b{_PEOPLE} (?:do not|don['’]t|doesn['’]t|does not|won['’]t|never) (?:notice|see the)\b"
        r"|\b(?:remove|clear|erase|delete)\b[^.,\n]{0,40}\b(?:shell|bash|command) history\b"
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
        _LEFT_ASIDE,
        (
            *("ignor", "disregard", "forget", "overr", "bypass", "discard", "dismiss", "drop"),
            *("neglect", "violat", "abandon", "aside", "attention", "supersed", "outrank"),
            *("trump", "lifted", "waived", "void", "suspend", "unrestrict", "unfilter", "jailbr"),
            *("uncensor", "without", "comply", "anything now", "prompt", "verwirf", "überschreib"),
            *("解除", "绕过", "不受", "覆盖"),
        ),
        r"\b(?:ignore|disregard|forget|overr(?:ide|ule)|bypass|discard|dismiss|drop|neglect|violate"
        r"|abandon|circumvent|(?:set|put|leave) aside|pay no attention to|leave aside)\s+"
        r"(?:(?:all|any|every|of|the|your|its|those|these|other|whole)\s+)*(?:"
        rf"(?:[\w'’-]+\s+)?{_RULES}\s+(?:that\s+)?(?:you (?:were|have|got)|came with|come with"
        rf"|given"
        r"|before|above|so far|from (?:the|your) (?:user|developer|operator|system))"
        r"|(?:what|whatever|everything|anything)\b[^.\n]{0,30}\b(?:system prompt|developers?"
        r"|operator|anthropic|openai|you were|you have been)\b"
        r"|(?:safety|content|ethical|alignment) (?:training|filters?|rules?|polic(?:y|ies)))"
        rf"|\b{_RULES}\b[^.\n]{{0,40}}\b(?:outdated|obsolete|wrong|old|stale|no longer (?:valid"
        rf"|apply"
        r"|binding|needed))\b[^\n]{0,6}(?:[.;,:]|and|so)\s*(?:you (?:can|may|should) )?(?:safely )?"
        r"(?:ignore|disregard|forget|drop|discard) (?:them|it|these)\b"
        rf"|\b(?:previous|prior|earlier|all|your|safety)\b[^.\n]{{0,20}}\b{_RULES}\b[^.\n]{{0,20}}"
        r"\b(?:are|is|were|have been|has been)\s+(?:now |hereby |all )?(?:null|void|lifted|waived"
        r"|suspended|revoked|removed|dropped) ?(?:for (?:this|you|the)|from now|and|\.|;|,|$)"
        r"|\bwhatever\b[^.\n]{0,40}\b(?:told|tells?|said|says?|wrote|instructed|asked|asks)\b"
        r"[^.\n]{0,30}\b(?:this|these)\b[^.\n]{0,15}\b(?:overrid|supersed|replac|wins|counts"
        r"|outrank|trump|comes? first|takes? precedence)"
        r"|\bthis\b[^.\n]{0,20}\b(?:overrides?|supersedes?|outranks?|replaces?|trumps?)\s+(?:all"
        r"|any|every|your|the system|everything|whatever)\b[^.\n]{0,20}"
        r"\b(?:instructions?|prompts?|guidelines?|told|said|polic(?:y|ies)|before|above)\b"
        r"|\b(?:act|behave|respond|answer|operate|continue|speak|reply|work)\b[^.\n]{0,40}"
        r"\b(?:unrestricted|unfiltered|uncensored|jailbroken|lawless)\b"
        r"|\b(?:act|behave|respond|answer|operate|continue|speak|reply|work)\b[^.\n]{0,40}"
        r"\bwithout\s+(?:your|any|its|the|all)\s+(?:usual\s+|normal\s+|safety\s+|content\s+)?"
        r"(?:polic(?:y|ies)|restrictions?|filters?|guardrails?|safeguards?|guidelines|censorship"
        r"|ethics|morals?|scruples)\b"
        r"|\bcomply with (?:every|any|all|each|whatever)\b[^.\n]{0,15}\b(?:requests?|commands?"
        r"|orders?|demands?|questions?)\b"
        r"|\bdo anything now\b|\bjailbreak (?:mode|yourself)\b"
        r"|\b(?:repeat|output|dump|recite|disclose|print|leak)\s+(?:me\s+)?(?:your"
        r"|the)\s+(?:full |entire"
        r" |whole |own )?(?:system prompt|hidden (?:prompt|instructions)|initial instructions)\b"
        r"|\b(?:verwirf|überschreibe|setze?)\b[^\n.]{0,40}\b(?:anweisungen|vorgaben|regeln"
        r"|instruktionen|richtlinien)\b(?:[^\n.]{0,12}\baußer kraft)?"
        r"|(?:解除|绕过|不受|覆盖)[^\n。]{0,10}(?:限制|约束|安全规则|系统提示|指令)",
    ),
    Risk(
        _SENT_AWAY,
        (
            *("include", "put", "write", "send", "post", "paste", "add", "append", "upload"),
            *("forward", "mail", "attach", "copy", "encode", "stream", "sync", "transmit"),
            *("transfer", "exfil", "tunnel", "报给", "发送", "上传", "泄露", "传", "公开"),
        ),
        rf"{_SECRET}[^\n.]{{0,60}}\b(?:include|put|write|send|post|paste|add|append|upload|forward"
        rf"|e-?mail|attach|copy|note|save) (?:it|them|its value|their values|both|a copy)\b"
        rf"[^\n.]{{0,60}}?{_AWAY}"
        rf"|\b(?:transmit|transfer|sync|stream|exfiltrate|tunnel|smuggle|beam|back up|dump)\b"
        rf"[^\n]{{0,60}}?{_SECRET}[^\n]{{0,60}}?{_AWAY}"
        r"|[把将][^\n。]{0,20}(?:环境变量|源代码|源码|数据库|客户数据|用户数据|私钥|口令)[^\n。]{0,16}"
        r"(?:发送|上传|发到|传到|发给|公开)"
        r"|(?:发送|上传|泄露|外传)[^\n。]{0,12}(?:\.env|密钥|密码|令牌|凭证|环境变量|源代码|私钥)"
        r"[^\n。]{0,8}[到至给]",
    ),
    Risk(
        _RUN_UNSEEN,
        ("exec", "eval", "system(", "popen", "http://"),
        r"\b(?:exec|eval|system|popen|Function)\b\s*\([^\n]{0,80}(?:urlopen|requests\.get"
        r"|https?\.get"
        r"|fetch\(|Net::HTTP|LWP|file_get_contents|open-uri)"
        r"|\binstall\b[^\n.]{0,40}\bhttp://(?!localhost|127\.|\[?::1)\S"
        r"|\b(?:execute|run|eval(?:uate)?|obey|follow|perform)\b[^\n.]{0,15}\b(?:whatever|anything"
        r"|everything|all)\b[^\n]{0,40}\b(?:https?://|server|page|answer|response|message|reply)",
    ),
    Risk(
        _DISABLED,
        (
            *("disabl", "silenc", "mut", "suppress", "evad", "around", "weaken", "loosen", "stop"),
            *("remov", "delet", "skip", "set ", "noqa", "nosec", "nolint", "ts-", "ignore", "merg"),
            *("push", "deploy", "publish", "release", "ship", "commit", "lower", "insecure"),
            *("stricthost", "sslverify", "yolo", "bypass", "danger", "rejectunauth", "approv"),
            *("gpg", "setenforce", "pass", "取消", "屏蔽", "umgeh", "ignorier"),
        ),
        r"\b(?:silence|mute|suppress|ignore|hide)\b[^.\n]{0,12}\b(?:security|scanner|vulnerability"
        r"|audit)\b[^.\n]{0,12}\b(?:warnings?|alerts?|findings?|errors?|reports?)\b"
        r"|\b(?:silence|mute|suppress)\b[^.\n]{0,6}\b(?:all|every|any)\b[^.\n]{0,15}"
        r"\b(?:warnings?|alerts?|errors?|findings?)\b"
        r"|\b(?:evade|get around|work around|weaken|loosen|neutralise|neutralize|sidestep|defeat"
        rf"|kill|remove|drop(?! (?:table|database|schema|column)\b))\b[^.\n]{{0,12}}\b{_GUARDS}\b"
        r"|\bset\b[^.\n]{0,30}\b(?:strict(?: mode)?|verification|verify\w*|validation|protection"
        rf"|{_GUARDS})\b[^.\n]{{0,12}}\b(?:off|false|0|none|disabled)\b"
        r"|\b(?:add|put|insert|place|use|sprinkle)\b[^.\n]{0,15}(?:eslint-disable|ts-ignore"
        r"|ts-nocheck|ts-expect-error|noqa|nosec|nolint|type: ?ignore|pylint: ?disable"
        r"|suppresswarnings|rubocop:disable|skip ci)[^.\n]{0,30}"
        r"\b(?:any|every|all|each|whatever|wherever|whenever|fails?|failing|complains?)\b"
        r"|\b(?:delete|remove|skip|disable|weaken|loosen|xfail|mute)\b[^.\n]{0,12}"
        r"\b(?:failing|red|broken)\s(?:tests?|assertions?|checks?|jobs?)\b"
        r"|\b(?:change|edit|adapt|adjust|rewrite|loosen) (?:the |each |any )?(?:expected values?"
        r"|tests?"
        r"|assertions?|snapshots?)\b[^.\n]{0,15}\b(?:so that|until)\b[^.\n]{0,20}\b(?:pass(?:es)?"
        r"|green)\b"
        rf"|{_ASKED}(?:merge|push|deploy|release|publish|ship|commit)\b[^.\n]{{0,25}}\bwithout\s+"
        r"(?:any |a |an |waiting for (?:an? |the )?)?(?:reviews?|asking|approvals?"
        r"|running (?:the )?(?:tests|checks)|checks|tests)\b"
        r"|(?:^|[.:;!]\s+)(?:always |just |simply |please |automatically )?approve (?:every|all"
        r"|any)\b"
        r"[^.\n]{0,25}\b(?:pull requests?|requests?|changes|commands?"
        r"|tool calls?)\b(?![^.\n]*\bafter\b)"
        r"|\b(?:lower|reduce)\b[^.\n]{0,20}\bthresholds?\b[^.\n]{0,20}\b(?:until|so that|to pass)\b"
        r"|\bStrictHostKeyChecking[= ]no\b|\bsslVerify[= ]+false\b|\bsetenforce 0\b"
        r"|\b(?:run|use|start|pass|add|set)\b[^.\n]{0,25}\s--(?:yolo|no-gpg-sign)(?![\w-])"
        r"|(?<![\w-])--dangerously-[a-z-]+(?![\w-])"
        r"|\brejectUnauthorized['\"]?\s*[:=]\s*false\b|\bInsecureSkipVerify\s*[:=]\s*true\b"
        r"|\bumgehe\b[^.\n]{0,30}(?:prüfung|scanner|schutz|review|freigabe)"
        r"|\bdeaktiviere\b[^.\n]{0,30}(?:signatur|zertifikat|prüf)"
        r"|(?:取消|屏蔽)[^\n。]{0,6}(?:检查|测试|扫描|安全|审查|评审|告警)",
    ),
    Risk(
        _KEPT_FROM,
        (
            *(
                "hid",
                "conceal",
                "disguis",
                "bury",
                "obscur",
                "camouflag",
                "smuggl",
                "sneak",
                "slip",
            ),
            *("so that", "so it", "delet", "remov", "eras", "wip", "clear", "leave", "keep"),
            *("without", "claim", "say", "report", "pretend", "sag", "erzähl", "teil", "ohne"),
            *("隐藏", "别让", "不让", "不要让", "不要提"),
        ),
        r"\b(?:hide|conceal|disguise|bury|obscure|camouflage|smuggle|sneak|slip|keep)\b[^.\n]{0,45}"
        r"\b(?:from|past)\s+(?:the |your |any |all |every )?(?:code )?(?:reviewers?|maintainers?"
        r"|owners?"
        r"|operators?|security team|auditors?|scanners?|reviews?|humans?)\b"
        r"|\b(?:hide|conceal|disguise|obscure|keep)\b[^.\n]{0,25}\b(?:change|dependency|commit"
        r"|upload"
        r"|request|command|instruction|edit|step|payload|backdoor|note|rule"
        r"|diff)s?\s+from\s+(?:the |your "
        r"|all )?(?:users?|developers?|people|team)\b"
        r"|\bso (?:that )?(?:it|this|they|the (?:change|commit|edit|upload|request|step|author"
        r"|command|dependency))\b[^.\n]{0,15}\b(?:can['’]?t|cannot|won['’]t|will not|does"
        r"(?: not|n['’]t)|is(?: not|n['’]t))\b[^.\n]{0,8}\b(?:traced|noticed|seen|found|detected"
        r"|discovered|spotted|show up|stand out)\b"
        r"|\b(?:delete|remove|erase|wipe|clear|truncate)\b[^.\n]{0,25}\b(?:logs?|history|transcript"
        r"|records?|evidence|traces?)\b[^.\n]{0,10}\b(?:of|from|for) (?:this|your) (?:session"
        r"|step|run"
        r"|command|conversation|change|action|work)\b"
        r"|\bleave (?:it|this|them|that) out of (?:the |your )?(?:summary|report|review|transcript"
        r"|answer|reply)\b"
        r"|\bwithout (?:anyone|anybody|the user|the reviewer|them|people) (?:noticing|knowing"
        r"|seeing"
        r"|being (?:told|asked)|finding out)\b"
        r"|\b(?:keep|treat)\b[^.\n]{0,8}\b(?:this|these)\b[^.\n]{0,25}\b(?:secret|hidden"
        r"|to yourself"
        r"|between us)\b"
        r"|\b(?:claim|say|report|state|write|pretend) (?:that )?(?:all |the |your )?(?:tests?"
        r"|checks?|build"
        r"|scan|review)\b[^.\n]{0,15}\b(?:pass(?:ed)?|succeeded|green|done)\b[^.\n]{0,12}"
        r"\b(?:even|although|though|whether|regardless|no matter|without)\b"
        r"|\bdeny (?:its|their|any|the) (?:existence|knowledge)\b"
        r"|\b(?:sage?|erzähle?|teile|melde)\b[^.\n]{0,30}\b(?:nutzer|benutzer|anwender|niemand\w*"
        r"|prüfern?|reviewern?)\b[^.\n]{0,30}\b(?:nicht|nichts|davon)\b"
        r"|\bohne (?:den|die|dem) (?:nutzer|benutzer|anwender|reviewer)\b[^.\n]{0,10}\bzu"
        r" (?:fragen|informieren|sagen)"
        r"|(?:别让|不让|不要让)(?:用户|任何人|审核者)[^\n。]{0,6}(?:知道|看到|发现)|不要提(?:及|到)(?:此|这|本)"
        r"|隐藏[^\n。]{0,8}(?:修改|改动|提交|痕迹)",
    ),
    Risk(
        "an image URL with a query can leak data to its server",
        ("![", "<img"),
        r"!\[[^\]\n]{0,200}\]\(\s*<?https?://[^)\s]{1,500}\?[^)\s]"
        r"|<img\b[^>]{0,300}\bsrc\s*=\s*[\"']?https?://[^\"'>\s]{1,500}\?",
    ),
)


def risks(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield what is asked for that a person should see first: message, start and end."""
    lowered = text.lower()
    told: list[tuple[str, int, int]] = []
    for risk in RISKS:
        if _may_be_in(risk, lowered):
            told += (each for each in _found(risk, text, lowered) if not _is_told(each, told))
    yield from told


def _may_be_in(risk: Risk, lowered: str) -> bool:
    """Tell whether a text has one of the needles: of all that is read, hardly anything has."""
    for needle in risk.needles:
        if needle in lowered:
            return True
    # Few have one that only counts where a word begins.
    return bool(risk.begins) and any(_begins_a_word(each, lowered) for each in risk.begins)


def _begins_a_word(needle: str, lowered: str) -> bool:
    at = lowered.find(needle)
    while at > 0 and (lowered[at - 1].isalnum() or lowered[at - 1] == "_"):
        at = lowered.find(needle, at + 1)
    return at >= 0


def _is_told(found: tuple[str, int, int], told: list[tuple[str, int, int]]) -> bool:
    """Tell whether the same was said of a part of it."""
    message, start, end = found
    return any(message == m and start < e and b < end for m, b, e in told)


def _found(risk: Risk, text: str, lowered: str) -> Iterator[tuple[str, int, int]]:
    # A few letters are two in lower case: then nothing stands where it stood.
    is_same = len(lowered) == len(text)
    matches = risk.lower_pattern.finditer(lowered) if is_same else risk.pattern.finditer(text)
    for match in matches:
        if not _is_spoken_of(text, match.start(), match.end(), denies=risk.denies):
            yield risk.message, *match.span()


def _is_spoken_of(text: str, start: int, end: int, *, denies: bool) -> bool:
    """Tell whether an act is denied, quoted or told of, and not asked for."""
    begin = max((at.end() for at in _SENTENCE.finditer(text, 0, start)), default=0)
    close = _SENTENCE.search(text, end)
    before, behind = text[begin:start], text[end : close.start() if close else len(text)]
    if _QUOTED.search(before) and any(mark in behind for mark in '"“”«»」'):
        return len(before.strip(' "“„')) > 0
    if not denies and _is_denied_or_described(before, behind):
        return True
    if denies and re.search(
        r"\b(?:reject|asks? the model to|tells? the agent to)\b", before.lower()
    ):
        return True
    told = text[max(begin - 20, 0) : start] + " … " + behind
    return _TOLD.search(told) is not None


def _is_denied_or_described(before: str, behind: str) -> bool:
    """Tell whether the words around an act deny it, or say that someone tries it."""
    folded = before.casefold()
    if _DENIED.search(folded) or _DESCRIBED.search(folded):
        return True
    return _DENIED_BEHIND.match(behind) is not None

"""What opposes what in the words of developers: English, German and Chinese, as data.

A line of `_AXES` is one question that has several answers: the answers stand apart by `|`, and
words that answer alike by blanks. Two texts that answer the same question otherwise oppose each
other. Words that merely often stand side by side (client and server, read and write) are left out:
they name other subjects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

_AXES: Final = """
named | default
always | never
sync synchronous synchronously blocking | async asynchronous asynchronously nonblocking
mutable | immutable frozen
strict | loose lax lenient permissive
explicit explicitly | implicit implicitly
static statically | dynamic dynamically
eager eagerly | lazy lazily
optional optionally voluntary | required mandatory compulsory obligatory must
public | private internal
relative | absolute
manual manually hand | automatic automatically automated
local | remote
local localtime | utc gmt
global | scoped
inline | external
nullable null none nil | undefined
singular | plural
ascending asc | descending desc
small short tiny | large big long huge
shorter smaller less fewer below under | longer larger more above over
minimum least min | maximum most max
older | newer
early | late
first | last
early before | after late
open | closed
optimistic | pessimistic
vertical vertically scaleup | horizontal horizontally scaleout
single | multiple several many
encrypted | plaintext unencrypted plain
secure | insecure
safe | unsafe
typed | untyped
sorted ordered | unsorted unordered
signed | unsigned
stateful | stateless
normalized normalised | denormalized denormalised
monolith monolithic | microservice microservices
monorepo | polyrepo multirepo
hard | soft
inheritance inherit | composition compose
push | pull
tab tabs | space spaces blanks
crlf | lf
trailing | leading
singlequote singlequotes | doublequote doublequotes
camelcase | snakecase | kebabcase | pascalcase
squash | mergecommit
rebase | merge
trunk trunkbased | gitflow
shortlived | longlived
keep retain preserve | delete remove drop discard
include | exclude omit
show display | hide conceal
commit track | ignore gitignore
add | remove
increase raise | decrease reduce lower
root privileged | unprivileged nonroot rootless
pin pinned | unpinned floating
mock mocked fake stub stubbed | real actual
exponential | constant linear fixed
cursor keyset | offset
integer integers int | float floats double | decimal decimals
json | xml | yaml | toml | plaintext
text string | enum enums
class classes | function functions
real | dummy
beside next together colocated alongside | apart separate separately away
inside within | outside
weekday weekdays | weekend
utf8 | utf16 | latin1
rest restful | graphql | grpc | soap
http | https
npm | pnpm | yarn | bun
node nodejs | deno | bun
jest | vitest | mocha | jasmine
cypress | playwright | selenium
pytest | unittest
webpack | vite | rollup | parcel | esbuild
eslint | biome
black | ruff | yapf
poetry | uv | pipenv | pip | conda
redux | zustand | mobx | recoil | reactquery
tailwind | styledcomponents | cssmodules | sass | emotion
postgres postgresql | mysql mariadb | sqlite | mongodb mongo | dynamodb | oracle
redis | memcached
kafka | rabbitmq | sqs | nats | celery
docker | podman
kubernetes k8s | nomad | swarm
terraform | pulumi | cloudformation
vault | secretsmanager
aws | azure | gcp
react | vue | angular | svelte
express | fastify | koa | hapi
flask | django | fastapi
zod | joi | yup | ajv
prisma | drizzle | typeorm | sequelize
maven | gradle
junit | testng
log4j | logback
github | gitlab | bitbucket
uuid ulid | autoincrement serial sequential
orm | sql
jwt | cookie
mit | apache | gpl
semantic semver | calendar calver
cents cent | euros euro | dollars dollar
english englisch | german deutsch | french französisch | chinese | spanish
monday | tuesday | wednesday | thursday | friday | saturday | sunday
montag | dienstag | mittwoch | donnerstag | freitag | samstag | sonntag
numpy | googlestyle
grpc | jsonrpc
immer stets | nie niemals
synchron | asynchron
veränderlich veränderbar | unveränderlich unveränderbar
streng strikt | locker lose
explizit | implizit
statisch | dynamisch
optional freiwillig | pflicht verpflichtend erforderlich notwendig
öffentlich | privat intern
relativ | absolut
manuell händisch hand | automatisch
lokal lokalzeit | utc
lokal | entfernt
deny denies refuse refuses | allow allows permit permits accept accepts
klein kurz | groß lang
älter | neuer
früh | spät
vor bevor vorher | nach nachdem nachher danach
offen | geschlossen
optimistisch | pessimistisch
verschlüsselt | unverschlüsselt klartext
sicher | unsicher
sortiert | unsortiert
tab tabs tabulator tabulatoren | leerzeichen
behalten aufbewahren | löschen entfernen verwerfen
zeigen anzeigen | verstecken verbergen ausblenden
einchecken | ignorieren
echt | gemockt simuliert mock
komposition | vererbung
ganzzahl ganzzahlen ganze | gleitkomma gleitkommazahl gleitkommazahlen | dezimalzahl dezimalzahlen
eingeschaltet aktiviert | ausgeschaltet deaktiviert abgeschaltet
innerhalb | außerhalb
wenig wenige | viel viele
mehr | weniger
mindestens | höchstens maximal
cents | euro
具名 命名导出 | 默认
同步 | 异步
可变 | 不可变
严格 | 宽松
显式 | 隐式
静态 | 动态
可选 | 必选 必填
公开 | 私有
相对 | 绝对
手动 手工 人工 | 自动
本地 | 远程
本地时间 | utc
之前 前 先 | 之后 后 以后
打开 开启 启用 | 关闭 禁用 停用
乐观 | 悲观
加密 | 明文
有状态 | 无状态
制表符 | 空格
保留 | 删除 移除
显示 | 隐藏
包含 | 排除
增加 | 减少
真实 | 模拟 假
继承 | 组合
整数 | 浮点数 浮点 | 小数
英文 英语 | 中文 汉语 | 德文 德语 | 日文 日语
单引号 | 双引号
分为单位 | 元为单位
authentication authenticated | public anonymous unauthenticated
poll polls polled polling | push pushes pushed pushing
sequentially serially | parallel concurrently
batch batched | stream streamed streaming
persistent persisted | ephemeral transient
uppercase | lowercase
nested | flat
verbose | terse concise
shared | isolated dedicated
centralized centralised | decentralized decentralised
deterministic | random nondeterministic
reversible | irreversible
online | offline
allowlist whitelist | denylist blocklist blacklist
optin | optout
serverside | clientside
readonly | writable writeable
runtime | buildtime
onpremise onprem | cloud
behalten | ersetzen ablösen
parallel gleichzeitig | nacheinander
umkehrbar | unumkehrbar
round rounded | square squared
exact exactly | approximate range ranges

大 | 小
长 | 短
最多 至多 | 至少 最少
"""


def words(text: str) -> frozenset[str]:
    """Return the words of a line."""
    return frozenset(text.split())


NOT: Final = words(
    "not never no cannot without avoid avoids avoiding avoided neither nor none refrain refrains "
    "disable disables disabling disabled forbid forbids forbidding forbidden prohibit prohibits "
    "prohibited ban bans banned banning disallow disallows disallowed deny denies denied off "
    "deactivate deactivated reject rejects rejected rejecting refuse refuses refused skip skips "
    "skipped skipping omit omits wrong bad harmful nicht nie niemals kein keine keinen keinem "
    "keiner keines ohne vermeide vermeiden vermeidet verboten verbiete verbieten verbietet "
    "untersagt unzulässig deaktiviere deaktivieren deaktiviert ausgeschaltet abgeschaltet "
    "abschalten ausschalten weder noch pas jamais aucun aucune sans éviter évite évitez ni "
    "interdit interdite eliminate eliminates eliminated eliminating"
)
"""Words that deny, forbid or switch off what follows them, or else what stands before them."""

JUDGES: Final = words("wrong bad harmful")
"""Those that only say how something is where it is counted: `41 wrong fares`."""

DEEDS: Final = words(
    "add remove delete drop push pull show hide open close start stop lock unlock keep track ignore"
)
"""What commands do and take back: a part of a command, each at its time."""

INSTEAD: Final = (
    "instead of",
    "rather than",
    "in place of",
    "as opposed to",
    "in favour of not",
    "anstelle von",
    "anstatt",
    "statt",
    "au lieu de",
    "plutôt que",
    "而不是",
    "而非",
)
"""What follows is turned down for what stands before."""

NO_DENIAL: Final = (
    "not only",
    "no later than",
    "no longer than",
    "no more than",
    "not more than",
    "no less than",
    "not exceed",
    "not just",
    "not even",
    "whether or not",
    "no matter",
    "not null",
    "nicht nur",
    "nicht mehr als",
    "nicht länger als",
    "不超过",
    "不仅",
    "不少于",
    "不同",
    "不可变",
    "not forget",
    "not forget to",
    "don't forget",
    "don't forget to",
    "never forget",
    "never forget to",
    "not hesitate",
    "never hesitate",
    "don't hesitate",
    "not fail to",
    "never fail to",
    "not sufficient",
    "not enough",
    "nicht vergessen",
    "nie vergessen",
    "别忘",
    "不要忘",
    "not found",
    "not covered",
    "not the other way around",
    "not the other way round",
    "not vice versa",
)
"""Phrases with a word of denial that deny nothing."""

EXCEPT: Final = (
    "except for",
    "except",
    "unless",
    "excluding",
    "other than",
    "but only",
    "außer",
    "ausgenommen",
    "abgesehen von",
    "es sei denn",
    "sauf",
    "除非",
    "除了",
)
"""What follows narrows the rule and is not its subject."""

BECAUSE: Final = (
    "because",
    "since",
    "so that",
    "to reduce",
    "to minimize",
    "to minimise",
    "otherwise",
    "in order to",
    "weil",
    "damit",
    "sonst",
    "denn",
    "sodass",
    "parce que",
    "因为",
    "否则",
    "以便",
    "以免",
)
"""What follows is a reason, which two who agree may give otherwise."""

PHRASES: Final = {
    "merge commit": "mergecommit",
    "snake case": "snakecase",
    "snake_case": "snakecase",
    "camel case": "camelcase",
    "kebab case": "kebabcase",
    "kebab-case": "kebabcase",
    "pascal case": "pascalcase",
    "auto increment": "autoincrement",
    "auto-increment": "autoincrement",
    "trunk-based": "trunkbased",
    "git-flow": "gitflow",
    "git flow": "gitflow",
    "short-lived": "shortlived",
    "long-lived": "longlived",
    "non-blocking": "nonblocking",
    "local time": "localtime",
    "css modules": "cssmodules",
    "styled-components": "styledcomponents",
    "styled components": "styledcomponents",
    "react query": "reactquery",
    "secrets manager": "secretsmanager",
    "plain text": "plaintext",
    "next to": "beside",
    "on by default": "by default",
    "enabled by default": "by default",
    "by name": "named",
    "single quotes": "singlequotes",
    "double quotes": "doublequotes",
    "json-rpc": "jsonrpc",
    "pull request": "pullrequest",
    "pull requests": "pullrequest",
    "it is fine to": "",
    "opt-in": "optin",
    "opt-out": "optout",
    "server-side": "serverside",
    "client-side": "clientside",
    "read-only": "readonly",
    "build time": "buildtime",
    "on-premise": "onpremise",
    "upper case": "uppercase",
    "lower case": "lowercase",
    "e-mail": "email",
    "are named": "are name",
    "is named": "is name",
    "be named": "be name",
    "numpy style": "numpy",
    "google style": "googlestyle",
    "number of": "count",
    "every day": "daily",
    "each day": "daily",
    "over time": "",
    "see below": "",
    "see above": "",
    "round up to": "round to",
    "rounds up to": "round to",
    "rounded up to": "round to",
    "set up to": "set to",
    "up to date": "uptodate",
    "half an hour": "30 minutes",
    "half a minute": "30 seconds",
    "eine halbe stunde": "30 minutes",
    "einer halben stunde": "30 minutes",
    "out of date": "outdated",
    "out of scope": "unscoped",
    "out of": "outside",
    "up to": "max",
    "at most": "max",
    "at least": "min",
    "must not": "cannot",
    "may not": "cannot",
    "need not": "not",
}
"""Phrases that are one word, or another one."""

SYNONYMS: Final = """
catch swallow
exception error
dependency package
folder directory
repository repo
documentation docs doc
function method
configuration config
environment env
database db
delete remove erase
pullrequest pr prs
store save persist
approve approval
keep kept
write written wrote
run ran
build built
throw thrown threw
send sent
make made
hold held
take taken took
give given gave
find found
read reads
show shown
hide hidden
choose chosen chose
drop dropped
begin began begun start
schreiben geschrieben
werfen geworfen wirft
laufen gelaufen läuft
favour favor prefer
answer respond return reply
message nachricht
avoid refrain
mandatory required
newer later above
over above more
under below less fewer
limit cap
authentication login
rows records
person people
manually hand
verwenden nutzen benutzen einsetzen
prüfen validieren überprüfen
löschen entfernen
immer stets
抛出 引发
校验 验证 检查
存储 保存
书写 写
"""
"""Words that developers use one for another; the first of a line stands for all."""

UNITS: Final = """
s: ms 0.001 | millisecond 0.001 | milliseconds 0.001 | s 1 | sec 1 | secs 1 | second 1 | seconds 1 \
| sekunde 1 | sekunden 1 | 秒 1 | 毫秒 0.001 | min 60 | mins 60 | minute 60 | minutes 60 \
| minuten 60 | 分钟 60 | h 3600 | hour 3600 | hours 3600 | stunde 3600 | stunden 3600 | 小时 3600 \
| day 86400 | days 86400 | tag 86400 | tage 86400 | tagen 86400 | 天 86400 | week 604800 \
| weeks 604800 | woche 604800 | wochen 604800 | 周 604800 | month 2592000 | months 2592000 \
| monat 2592000 | monate 2592000 | monaten 2592000 | 个月 2592000 | year 31536000 \
| years 31536000 | jahr 31536000 | jahre 31536000 | jahren 31536000 | 年 31536000
byte: b 1 | byte 1 | bytes 1 | kb 1e3 | kib 1024 | mb 1e6 | mib 1048576 | gb 1e9 \
| gib 1073741824 | tb 1e12
clock: clock 1
%: % 1 | percent 1 | prozent 1
person: 人 1 | 个人 1
time: times 1 | time 1 | mal 1 | 次 1
"""
"""What a number can be a number of, with what one of it is worth."""

NUMERALS: Final = {
    **dict(
        zip(
            ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"],
            range(2, 11),
            strict=True,
        )
    ),
    **dict(
        zip(
            ["zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"],
            range(2, 11),
            strict=True,
        )
    ),
    "zero": 0,
    "one": 1,
    "a": 1,
    "an": 1,
    "ein": 1,
    "eine": 1,
    "einen": 1,
    "once": 1,
    "twice": 2,
    "thrice": 3,
    "einmal": 1,
    "zweimal": 2,
    "dreimal": 3,
}
ARTICLES: Final = words("one a an ein eine einen")
"""Numerals that count only beside a number of the same in the other text."""
SERIES: Final = words(
    "round sprint cycle phase step wave iteration milestone decision finding bug attempt session "
    "chapter part lauf runde zyklus schritt phase teil run task action stage section lesson "
    "episode season volume story epic slide этап шаг фаза глава раздел étape capítulo fase paso "
    "exercise example appendix figure aufgabe abschnitt lektion beispiel"
)
"""What a number behind it names, as one of several, and does not count: `Run 9`, `Sprint 3`."""
CHINESE_NUMERALS: Final = {**{c: n for n, c in enumerate("零一二三四五六七八九十")}, "两": 2}
CHINESE_NOT: Final = (
    "禁止|不允许|不要|不得|不可以|不可|不能|不应该|不应|不该|"
    "不需要|不必|不会|没有|切勿|请勿|避免|严禁|从不|绝不|无需|不|勿|没|非"
)
CHINESE_PLAIN: Final = (
    "必须|应该|应当|需要|一定|一律|统一|所有|每个|每次|全部|使用|采用|进行|允许|可以|执行|通过|其中|时候|"
    "[的了在是为以用应要都请时与和或而则就会再得由对把被将让给从到于并且也中里上下各该此其都一定]"
)


@cache
def sides() -> Mapping[str, tuple[tuple[int, int], ...]]:
    """Return the questions that a word answers: word → numbers of the question and the answer."""
    found: dict[str, list[tuple[int, int]]] = {}
    for number, line in enumerate(_AXES.strip().splitlines()):
        for side, words in enumerate(line.split("|")):
            for word in words.split():
                found.setdefault(word, []).append((number, side))
    return {word: tuple(each) for word, each in found.items()}


@cache
def units() -> Mapping[str, tuple[str, float]]:
    """Return what each unit measures, and what one of it is worth."""
    return dict(_units())


def _units() -> Iterator[tuple[str, tuple[str, float]]]:
    for line in UNITS.strip().splitlines():
        name, _, each = line.partition(":")
        for unit in each.split("|"):
            word, _, worth = unit.strip().partition(" ")
            yield word, (name, float(worth))

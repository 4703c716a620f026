"""Phrases that assert success, in English and Chinese, unless denied, conditional or asked."""

import re
from collections.abc import Iterator

_FILLER = r"(?:\s+(?:now|all|have|has|are|is|were|was|been|being|got|already|fully|successfully|completely|finally)){0,4}"
_TESTS = r"(?:tests?|test\s+suite|test\s+cases?|checks|assertions)"
_MATTER = r"(?:issue|bug|problem|task|error|failure|defect|instance|question)"
_SOLVED = r"(?:resolved|fixed|solved|completed|done|finished)"

_ENGLISH = (
    rf"(?:all|every|the|hidden|unit|existing|\d{{1,6}}(?:/\d{{1,6}})?)(?:\s+(?:of|the|hidden|unit|existing|\d{{1,6}})){{0,4}}"
    rf"\s+{_TESTS}{_FILLER}\s+(?:pass|passes|passed|passing|green|succeed|succeeded)",
    rf"{_TESTS}{_FILLER}\s+(?:pass|passes|passed|passing|succeeded)",
    r"(?<![\d.])\d{1,6}(?:\s?/\s?\d{1,6})?\s+passed",
    r"(?<![\d.])0\s+(?:tests?\s+)?(?:failed|failures|errors)",
    rf"{_MATTER}(?:\s+(?:itself|above|at\s+hand))?\s+(?:is|was|has\s+been|have\s+been|got|gets)"
    rf"{_FILLER}\s+{_SOLVED}",
    rf"successfully\s+(?:{_SOLVED}|passed|submitted|installed|built|applied|reproduced|verified)",
    rf"(?:{_SOLVED}|passed|submitted|installed|built|applied|verified)\s+successfully",
    r"(?:fix|patch|solution|change)\s+(?:(?:really|indeed|now|also)\s+)?"
    r"(?:works|worked|succeeded|(?:is|was)\s+(?:correct|right|accepted))",
    r"(?:run|agent|attempt|trajectory|submission|build|installation)\s+(?:(?:is|was|has)\s+)?"
    r"(?:successful|succeeded|resolved|accepted)",
)
_CHINESE = (
    r"测试(?:用例)?(?:已经|现已|都已|均已|全部|全都|都|均|已)*(?:成功)?通过",
    r"(?:全部|全都|均已|都已|已全部)通过",
    r"(?:问题|错误|缺陷|任务|故障|漏洞)(?:现在)?(?:已经|现已|已被|都已|均已|被|已|得到)+(?:了)?(?:成功|完全|彻底)?(?:地)?(?:解决|修复|完成)",
    r"(?:成功|顺利)(?:地)?(?:解决|修复|完成|通过|提交|安装|构建|运行)",
    r"(?:修复|运行|构建|安装|验证|提交|解决|编译)(?:成功|通过)",
)
_ASSERTED = re.compile(
    r"(?<!\w)(?:" + "|".join(_ENGLISH) + r")(?!\w)"
    r"|(?=[^\x00-\x7f])"  # English text is passed over at once
    r"(?:" + "|".join(_CHINESE) + r")",
    re.ASCII,
)

_DENIED = re.compile(
    r"(?<!\w)(?:not|never|no|none|without|cannot|nor|neither|hardly|if|when|whenever|until|till|unless"
    r"|once|after|before|while|whether|as\s+soon\s+as|in\s+case|provided|assuming|suppose)(?!\w)"
    r"|n't(?!\w)|不|未|没|无法|并非|如果|若|直到|直至|除非|是否|一旦|假如|假设|当|等",
    re.ASCII,
)
_WANTED = re.compile(
    r"(?<!\w)(?:ensure|ensures|sure|must|should|shall|need|needs|want|wants|verify|check|checks"
    r"|goal|expect|expects|expected|hope|would|could|may|might|will|so\s+that|in\s+order|aim|try"
    r"|confirm|requires?|required)(?!\w)"
    r"|确保|保证|应该|应当|应|必须|需要|需|请|要求|希望|目标|以便|使得|能否|检查|验证一下|确认",
    re.ASCII,
)
_AFTERWARDS = re.compile(
    r"\s*(?:(?:if|unless|only|when|before|or\s+not)(?!\w)|后|之后|以后|才|再|时|的话|之前|前|与否|吗|了吗)",
    re.ASCII,
)
_SENTENCE_END = re.compile(r"[.!?](?!\w)|[。！？；;\n\x00]", re.ASCII)
_CLAUSE_END = re.compile(r"[,，:：、]|\s[-–—]\s")
_LOOK_BACK = 240
_LOOK_AHEAD = 160


def success_assertions(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the offsets of every asserted success phrase within ``text[start:end]``.

    ``text`` is normalised. A phrase does not count where its clause denies it or makes it a
    condition, where its sentence wants or expects it, or where it is part of a question.
    """
    for match in _ASSERTED.finditer(text, start, end):
        if not _is_guarded(text, match.start(), match.end()):
            yield match.span()


def _is_guarded(text: str, start: int, end: int) -> bool:
    low = max(start - _LOOK_BACK, 0)
    ends = [low, *(match.end() for match in _SENTENCE_END.finditer(text, low, start))]
    before = text[ends[-1] : start]
    clause = _CLAUSE_END.split(before)[-1]
    if _DENIED.search(clause) or _WANTED.search(before) or _AFTERWARDS.match(text, end):
        return True
    closing = _SENTENCE_END.search(text, end, min(end + _LOOK_AHEAD, len(text)))
    return closing is not None and closing.group() in {"?", "？"}

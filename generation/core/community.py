"""The repository or topic of a source: the circle that distractors are drawn from."""

import re

_SWE_SMITH = re.compile(r"(.+?)\.[0-9a-f]{8}(?:\.|\Z)")
_NUMBERED = re.compile(r"([A-Za-z0-9][\w.-]*)-i?\d+", re.ASCII)
# SWE-agent puts a short hash of the issue before the repository where it knows no owner.
_HASHED = re.compile(r"(?=[a-f]*\d)[0-9a-f]{6}__(\S+)-[0-9a-f]{6}")


def community_of(kind: str, cluster: str, language: str) -> str:
    """Return the name of the community that a record belongs to, in lower case for a repository.

    An instance id names its repository: ``owner__name.1a2b3c4d.pr_7`` (SWE-smith) before the
    commit, ``owner__name-7`` (SWE-bench) and ``owner__name-i7`` (SWE-agent) before the number,
    ``1a2b3c__name-4d5e6f`` between the hashes. Records of one language whose task names no
    repository form one community, as research runs do.
    """
    if " " in cluster or not cluster:
        return f"{kind}:{language}"
    hashed = _HASHED.fullmatch(cluster)
    if hashed:
        return hashed.group(1).casefold()
    numbered = _NUMBERED.fullmatch(cluster)
    if "__" not in cluster:
        return numbered.group(1).casefold() if numbered else f"{kind}:{language}"
    named = _SWE_SMITH.match(cluster) or numbered
    return (named.group(1) if named else cluster.split(".", 1)[0]).casefold()

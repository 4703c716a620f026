"""The repository or topic of a source: the circle that distractors are drawn from."""


def community_of(kind: str, cluster: str, language: str) -> str:
    """Return the name of the community that a record belongs to.

    An instance id such as ``owner__name.1a2b3c4d.pr_7`` names its repository before the first
    dot, one such as ``owner__name-7`` before the last hyphen. Research runs of one language
    form one community, since their sources carry no topic.
    """
    if "__" not in cluster or " " in cluster:
        return f"{kind}:{language}"
    head = cluster.split(".", 1)[0]
    return head.rpartition("-")[0] if head == cluster and "-" in head else head

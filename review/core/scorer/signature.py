"""One line that says how a score was made; scores with different lines are not comparable."""

from collections.abc import Sequence

from .benchmark import Benchmark
from .version import READER_VERSIONS, VERSION


def signature(benchmark: Benchmark, *, metrics: Sequence[str], compat: str | None) -> str:
    """Return the signature; ``metrics`` are those that averages are made of."""
    readers = "official" if compat else ",".join(READER_VERSIONS.values())
    return " | ".join(
        (
            f"apt-annotate {VERSION}",
            f"release {benchmark.name}@{benchmark.version} sha256:{benchmark.sha256[:12]}",
            f"reader {readers}",
            f"shots {benchmark.shots}",
            f"metric {','.join(metrics)}",
            f"compat {compat or 'no'}",
        )
    )

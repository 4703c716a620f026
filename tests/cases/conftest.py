"""The cases on pages use the page tests' reviewer and logged-in client."""

from tests.review.conftest import member, reviewer

__all__ = ["member", "reviewer"]

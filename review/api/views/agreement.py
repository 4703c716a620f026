"""Agreement: the numbers of ``manage.py agreement``, for leads."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.response import Response

from review.api.pages import refuse_unknown, whole_number
from review.api.problems import invalid
from review.api.schema import documented, text_parameter
from review.api.view import LeadView, MemberCall, ok
from review.core.agreement.as_json import agreement_json
from review.core.agreement.bootstrap import RESAMPLES
from review.services.agreement import By, agreements, split
from review.services.votes import read_votes

_SEED = 2**32 - 1


def _number(name: str, words: str, low: int, high: int, usual: int) -> OpenApiParameter:
    shape = {"type": "integer", "minimum": low, "maximum": high, "default": usual}
    return OpenApiParameter(name, shape, description=words)


class AgreementView(LeadView):
    """How far independent reviewers agree."""

    @documented(
        "agreement",
        OpenApiResponse(OpenApiTypes.OBJECT, "By measure, or by group and measure."),
        422,
        parameters=[
            text_parameter("by", "One result for each group.", enum=[str(by) for by in By]),
            _number("seed", "Of the resamples.", 0, _SEED, 0),
            _number("resamples", "Of items, for the intervals.", 1, RESAMPLES, RESAMPLES),
        ],
        tag="agreement",
    )
    def get(self, request: MemberCall) -> Response:
        """Measure agreement on every measure, with 95 % intervals; reviewers by pseudonym."""
        refuse_unknown(request, ("by", "seed", "resamples"))
        by = request.query_params.get("by")
        if by is not None and by not in set(By):
            raise invalid({"by": f"One of {', '.join(By)}."})
        seed = whole_number(request, "seed", usual=0, low=0, high=_SEED)
        resamples = whole_number(request, "resamples", usual=RESAMPLES, low=1, high=RESAMPLES)
        votes = read_votes()
        groups = split(votes, By(by)) if by else {"": votes}
        found = {
            name: {
                str(measure): agreement_json(one)
                for measure, one in agreements(part, seed=seed, resamples=resamples).items()
            }
            for name, part in groups.items()
        }
        return ok(found if by else found[""])

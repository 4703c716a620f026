"""What a lead does for a reviewer who did not pass the qualification round."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from review.models import Profile
from review.services.qualification import QualificationRefused, let_try_further
from review.views.access import require_lead
from review.views.rendering import PageRequest, go_to
from review.views.told import told


@require_http_methods(["POST"])
def further_items(request: PageRequest, pk: int) -> HttpResponse:
    """Give the member as many further items as the round has; where that can't be, say why."""
    require_lead(request)
    member = get_object_or_404(Profile.objects.select_related("user"), pk=pk)
    try:
        given = let_try_further(lead=request.user, reviewer=member.user, now=timezone.now())
    except QualificationRefused as refused:
        messages.warning(request, told(refused.why))
    else:
        said = gettext("They can try further items now: %(n)s.")
        messages.success(request, said % {"n": given})
    return go_to(request, reverse("person", args=[member.pk]))

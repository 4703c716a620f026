"""Whether the process is up, and whether it can do its work: for load balancers."""

from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD"])
def health(_request: HttpRequest) -> HttpResponse:
    """Say that the process answers; nothing else is looked at."""
    return HttpResponse("ok\n", content_type="text/plain")


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD"])
def ready(_request: HttpRequest) -> JsonResponse:
    """Say whether the database answers and its tables are those of this version; 503 if not."""
    state = _database_state()
    return JsonResponse({"database": state}, status=200 if state == "ok" else 503)


def _database_state() -> str:
    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return "unreachable"
    return "migrations wait" if waiting else "ok"

"""The models that may be asked: who they are, what they cost, where their keys are found."""

import os
import re
from collections.abc import Sequence
from decimal import Decimal
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.db import transaction

from generation.models import ModelEndpoint
from generation.services import audit

# Any variable could be named else, and its value sent to the server.
_KEY_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{0,80}_API_KEY")
_MOST_USD = Decimal(100_000)


class UnusableEndpoint(ValueError):
    """An endpoint that can't be kept, or none of that name; the message says why."""


@transaction.atomic
def set_endpoint(
    *,
    name: str,
    model: str,
    base_url: str = "",
    key_variable: str = "OPENAI_API_KEY",
    input_usd_per_million: Decimal,
    output_usd_per_million: Decimal,
    is_structured: bool = False,
    is_active: bool = True,
    actor: User | None,
) -> ModelEndpoint:
    """Create an endpoint or change the one of that name, and return it.

    Raises:
        UnusableEndpoint: name or model is empty, the address is no http(s) address or holds a
            password, the variable does not end in ``_API_KEY``, or a price is out of range.
    """
    if not name.strip() or not model.strip():
        msg = "an endpoint needs a name and a model"
        raise UnusableEndpoint(msg)
    _refuse_address(base_url)
    if key_variable and not _KEY_VARIABLE.fullmatch(key_variable):
        msg = f"key variable {key_variable!r}: the NAME of a variable that ends in _API_KEY"
        raise UnusableEndpoint(msg)
    for price in (input_usd_per_million, output_usd_per_million):
        if not price.is_finite() or not 0 <= price <= _MOST_USD:
            msg = f"price {price}: US dollars for a million tokens, 0 to {_MOST_USD}"
            raise UnusableEndpoint(msg)
    fields = {
        "model": model.strip(),
        "base_url": base_url.strip(),
        "key_variable": key_variable,
        "input_usd_per_million": input_usd_per_million,
        "output_usd_per_million": output_usd_per_million,
        "is_structured": is_structured,
        "is_active": is_active,
    }
    before = ModelEndpoint.objects.filter(name=name.strip()).values(*fields).first()
    endpoint, _created = ModelEndpoint.objects.update_or_create(name=name.strip(), defaults=fields)
    audit.record("endpoint.set", endpoint, actor=actor, before=before, after=fields)
    return endpoint


def _refuse_address(base_url: str) -> None:
    if not base_url:
        return
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        msg = f"base URL {base_url!r}: expected an address such as https://host/v1"
        raise UnusableEndpoint(msg)
    if parts.username or parts.password:
        msg = "base URL: a password has no place in an address; name the key's variable"
        raise UnusableEndpoint(msg)


def usable_endpoints(names: Sequence[str]) -> list[ModelEndpoint]:
    """Return the active endpoints of these names, in that order, each once.

    Raises:
        UnusableEndpoint: there is none of a name, or it is switched off.
    """
    found = {one.name: one for one in ModelEndpoint.objects.filter(name__in=names, is_active=True)}
    for name in names:
        if name not in found:
            known = ModelEndpoint.objects.filter(is_active=True).values_list("name", flat=True)
            msg = f"no model {name!r}: there are {', '.join(known) or 'none'} (manage.py set_model)"
            raise UnusableEndpoint(msg)
    return [found[name] for name in dict.fromkeys(names)]


def key_of(endpoint: ModelEndpoint) -> str | None:
    """Return the key from the environment, "" where none is needed, None where it is not set."""
    if not endpoint.key_variable:
        return ""
    return os.environ.get(endpoint.key_variable, "").strip() or None


def address_of(endpoint: ModelEndpoint) -> str | None:
    """Return where the server is; None for OpenAI's own address."""
    return endpoint.base_url or os.environ.get("OPENAI_BASE_URL", "").strip() or None

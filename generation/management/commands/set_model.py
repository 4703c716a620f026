"""Sets a model that may be asked for distractors: where it is, what it costs, where its key is."""

from argparse import ArgumentParser
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.management.base import CommandError

from generation.management.reporting import WRONG_USE, ReportingCommand
from generation.services.model_endpoints import UnusableEndpoint, set_endpoint


def amount(text: str) -> Decimal:
    """Return the amount of money that an argument names.

    Raises:
        ValueError: it names none; argparse makes a message of it.
    """
    try:
        return Decimal(text)
    except InvalidOperation as error:
        msg = f"{text} is no amount"
        raise ValueError(msg) from error


class Command(ReportingCommand):
    """Sets a model that may be asked for distractors: where it is, what it costs, where its key is."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the name and what is known of the model."""
        super().add_arguments(parser)
        parser.add_argument("name", help="the name that --model takes")
        parser.add_argument("--model", help="the server's name for it; default: the same")
        parser.add_argument("--base-url", default="", help="default: OPENAI_BASE_URL")
        parser.add_argument(
            "--key-variable",
            default="OPENAI_API_KEY",
            help="the NAME of the environment variable that holds the key; '' for none",
        )
        for name, what in (("--input-price", "read"), ("--output-price", "written")):
            parser.add_argument(
                name, type=amount, required=True, metavar="USD", help=f"for a million tokens {what}"
            )
        parser.add_argument(
            "--structured", action="store_true", help="it holds answers to a JSON schema"
        )
        parser.add_argument("--off", action="store_true", help="it may not be asked any more")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Create or change the endpoint."""
        try:
            endpoint = set_endpoint(
                name=options["name"],
                model=options["model"] or options["name"],
                base_url=options["base_url"],
                key_variable=options["key_variable"],
                input_usd_per_million=options["input_price"],
                output_usd_per_million=options["output_price"],
                is_structured=options["structured"],
                is_active=not options["off"],
                actor=None,
            )
        except UnusableEndpoint as error:
            raise CommandError(str(error), returncode=WRONG_USE) from error
        result = {"model": endpoint.name, "is_active": endpoint.is_active}
        words = f"{endpoint.name} {'can be asked' if endpoint.is_active else 'is switched off'}"
        self.report(result, as_json=options["json"], words=words)

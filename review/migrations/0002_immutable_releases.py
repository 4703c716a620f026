from django.db import migrations

from generation.models.triggers import immutable


class Migration(migrations.Migration):
    dependencies = [("review", "0001_first_tables")]

    operations = [
        immutable("review_release", "a release is immutable", [("id",), ("version",)]),
        immutable(
            "review_releaseitem",
            "the items of a release are immutable",
            [("id",), ("release_id", "item_id"), ("release_id", "revision_id")],
        ),
    ]

"""The operators that make one wrong answer at a time, by name.

``random_root_star`` and ``real_step_block`` make whole sets and stand in modules of their own, as
do the snippets of ``issue_fix_locate``.
"""

from collections.abc import Mapping
from types import MappingProxyType

from generation.core.operators.call_edits import (
    early_stop,
    later_step,
    off_target_query,
    repeat_done,
    unrelated_url,
    wrong_tool_use,
)
from generation.core.operators.operator import Operator
from generation.core.operators.patch_edits import failed_prediction
from generation.core.operators.plan_edits import (
    drop_step,
    insert_harmful,
    insert_redundant,
    other_item,
    reorder_steps,
    swap_versions,
)
from generation.core.operators.report_edits import (
    break_logic,
    harm_readability,
    miss_request,
    perturb_facts,
)

OPERATORS: Mapping[str, Operator] = MappingProxyType(
    {
        operator.__name__: operator
        for operator in (
            reorder_steps,
            drop_step,
            insert_harmful,
            insert_redundant,
            swap_versions,
            later_step,
            other_item,
            wrong_tool_use,
            early_stop,
            repeat_done,
            off_target_query,
            unrelated_url,
            perturb_facts,
            break_logic,
            harm_readability,
            miss_request,
            failed_prediction,
        )
    }
)

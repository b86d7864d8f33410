"""The rows of tests/README.md: ways in which a checker fires, and right kernels that come close."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from run import CAUSES

Finding = dict[str, str]


@dataclass(frozen=True)
class Row:
    """One way in which a checker fires."""

    checker: str
    fires: str  # what the finding is about
    test: Callable[[Finding], bool]
    near: tuple[str, ...]  # right kernels that come close


def number(finding: Finding, name: str) -> int:
    return int(finding[name])


def race(where: Callable[[Finding], bool]) -> Callable[[Finding], bool]:
    return lambda f: f["kind"] == "race" and f["severity"] == "2" and where(f)


def has_atomic(f: Finding) -> bool:
    return "3" in (f["access"], f["other_access"])


def outside(where: Callable[[Finding], bool]) -> Callable[[Finding], bool]:
    return lambda f: f["kind"] == "out_of_bounds" and where(f)


def of_kind(kind: str) -> Callable[[Finding], bool]:
    return lambda f: f["kind"] == kind


def crash(cause: str) -> Callable[[Finding], bool]:
    return lambda f: f["kind"] == "crash" and CAUSES[number(f, "detail")] == cause


def barrier(other: bool) -> Callable[[Finding], bool]:
    return (
        lambda f: f["kind"] == "barrier_divergence"
        and number(f, "detail") < PHASE
        and (number(f, "other_pc") != 0) == other
    )


SHARED, SAME_WARP, BETWEEN_BLOCKS, SAME_VALUE, INNER, DYNAMIC = "2", 1, 2, 4, 8, 16
UNDER_WAY, UNORDERED, BULK, WGMMA = 32, 64, 2048, 4096
PHASE, PHASES_END = 5, 9  # PHASE_LACKS_ARRIVALS; WARPGROUP_CALL_ABSENT
CLUSTER = 11  # CLUSTER_LACKS_THREADS


def flag(f: Finding, bit: int) -> bool:
    return number(f, "flags") & bit != 0


def plain_race(f: Finding, shared: bool) -> bool:
    return (
        not has_atomic(f)
        and (f["space"] == SHARED) == shared
        and not flag(f, SAME_WARP | BETWEEN_BLOCKS | UNDER_WAY | WGMMA)
    )


def of_launches(f: Finding) -> bool:
    return number(f, "detail") in (13, 14)


ROWS = [
    Row(
        "races",
        "shared memory, threads of different warps",
        race(lambda f: plain_race(f, True)),
        ("right/tiled/three_buffers", "right/tiled/double_buffer", "right/scan/two_buffers"),
    ),
    Row(
        "races",
        "lanes of one warp",
        race(lambda f: flag(f, SAME_WARP) and not has_atomic(f)),
        ("emu/race_mended_by_syncwarp", "right/reduction/tree_ends_in_a_warp"),
    ),
    Row(
        "races",
        "A, B or C, threads of one block",
        race(lambda f: plain_race(f, False)),
        ("right/stencil/in_place", "right/naive/sums_in_c"),
    ),
    Row(
        "races",
        "A, B or C, different blocks",
        race(lambda f: flag(f, BETWEEN_BLOCKS) and f["space"] != SHARED and not of_launches(f)),
        ("emu/race_none_between_blocks", "right/tiled/grid_stride"),
    ),
    Row(
        "races",
        "an atomic operation and a plain access",
        race(has_atomic),
        ("right/dot/lock", "right/histogram/shared_counts", "emu/atomics_no_race"),
    ),
    Row(
        "races",
        "atomic operations in another order of threads and blocks: C is wrong",
        lambda f: f["kind"] == "race" and flag(f, UNORDERED),
        ("right/naive/terms_by_ticket", "right/naive/list_in_any_order"),
    ),
    Row(
        "races",
        "flags, tickets and locks: a fence is missing, or comes too early",
        race(lambda f: number(f, "detail") in (1, 2, 3, 4, 7)),
        ("right/fences/last_block_adds", "right/fences/look_back", "right/fences/flag_that_counts"),
    ),
    Row(
        "races",
        "shared memory that an asynchronous copy still fills",
        race(lambda f: flag(f, UNDER_WAY) and not flag(f, BULK)),
        ("emu/async_waits", "right/tiled/async_one_buffer", "right/tiled/async_two_buffers"),
    ),
    Row(
        "races",
        "shared memory that a bulk copy still fills or reads",
        race(
            lambda f: flag(f, BULK)
            and not flag(f, WGMMA)
            and number(f, "detail") in (0, 18)
            and f["space"] == SHARED
        ),
        (
            "emu/bulk_copies",
            "emu/tensor_copies",
            "emu/cluster_multicast",
            "right/tiled/tensor_copies",
        ),
    ),
    Row(
        "races",
        "global memory to which a bulk copy still stores",
        race(lambda f: flag(f, BULK) and f["space"] != SHARED),
        ("emu/bulk_copies", "right/warp_specialized/c_by_bulk_copies"),
    ),
    Row(
        "races",
        "a bulk copy reads stored elements: `fence.proxy.async` is missing",
        race(lambda f: number(f, "detail") == 6 and not flag(f, WGMMA)),
        ("emu/bulk_copies", "emu/tensor_copies", "emu/tensor_handed_over"),
    ),
    Row(
        "races",
        "shared memory that a `wgmma` still reads, or reads without `fence.proxy.async`",
        race(lambda f: flag(f, WGMMA) and f["space"] == SHARED),
        ("emu/wgmma_stages", "emu/wgmma_layouts", "emu/wgmma_types"),
    ),
    Row(
        "races",
        "registers that a `wgmma` still computes, or uses without `wgmma.fence`",
        race(lambda f: flag(f, WGMMA) and f["space"] != SHARED),
        ("emu/wgmma_stages", "emu/wgmma_layouts", "emu/wgmma_types"),
    ),
    Row(
        "races",
        "a block ends while a bulk copy still reads its shared memory",
        race(lambda f: number(f, "detail") == 12),
        ("emu/bulk_copies", "emu/tensor_copies"),
    ),
    Row(
        "races",
        "uses of an mbarrier that are not ordered after its init, or before its inval",
        race(lambda f: number(f, "detail") == 9),
        ("emu/mbarrier_phases", "emu/mbarrier_used_again"),
    ),
    Row(
        "races",
        "threads that mbarriers order, but not here",
        race(lambda f: number(f, "detail") in (5, 11)),
        ("emu/mbarrier_phases", "emu/bulk_copies"),
    ),
    Row(
        "races",
        "a store that only a relaxed arrival at an mbarrier follows",
        race(lambda f: number(f, "detail") == 10),
        ("emu/cluster_multicast", "emu/cluster_ptx"),
    ),
    Row(
        "races",
        "shared memory of another block of the cluster, which runs at the same time",
        race(lambda f: number(f, "detail") == 15),
        ("emu/cluster_histogram", "emu/cluster_ring", "emu/cluster_arrive_and_wait"),
    ),
    Row(
        "races",
        "shared memory of another block of the cluster before it begins, or after its end",
        race(lambda f: number(f, "detail") in (16, 17)),
        ("emu/cluster_reduction", "emu/cluster_histogram"),
    ),
    Row(
        "races",
        "global memory that an earlier launch uses, which a dependent launch has not waited for",
        race(of_launches),
        (
            "emu/dependent_waits",
            "emu/dependent_atomics",
            "emu/dependent_tensor_copy",
            "right/split_k/parts_added_by_a_dependent_launch",
        ),
    ),
    Row(
        "races",
        "every thread stores the same value: a note, no error",
        lambda f: f["kind"] == "race" and f["severity"] == "0" and flag(f, SAME_VALUE),
        ("right/reduction/tree", "right/reduction/warp_shuffle"),
    ),
    Row(
        "bounds",
        "outside A, B or C",
        outside(lambda f: f["space"] == "1"),
        ("emu/global_to_the_last", "right/stencil/no_shared_memory", "right/tiled/clamped_loads"),
    ),
    Row(
        "bounds",
        "outside a `__shared__` array",
        outside(lambda f: f["space"] == SHARED and not flag(f, INNER | DYNAMIC)),
        ("emu/shared_to_the_last", "right/histogram/shared_counts"),
    ),
    Row(
        "bounds",
        "past a dimension of an array, even of a local one",
        outside(lambda f: flag(f, INNER)),
        ("right/tiled/padded_tile", "right/transpose/padded_tile"),
    ),
    Row(
        "bounds",
        "more dynamic shared memory than the launch asks for",
        outside(lambda f: flag(f, DYNAMIC)),
        ("emu/shared_dynamic", "right/tiled/dynamic_shared", "right/sort/odd_and_even"),
    ),
    Row(
        "uninitialised",
        "shared bytes that the block never wrote, or a lane without a part in a shuffle",
        of_kind("uninitialized"),
        (
            "right/histogram/a_column_a_thread",
            "emu/atomics_exchange_is_a_store",
            "emu/wgmma_tile_in_part",
            "right/warp_specialized/box_outside_not_copied",
        ),
    ),
    Row(
        "compiler",
        "a variable that is read before it has a value",
        of_kind("unset"),
        ("right/naive/value_in_a_branch", "right/tiled/register_prefetch"),
    ),
    Row(
        "uninitialised",
        "an element of the workspace that no launch of the product stored",
        lambda f: f["kind"] == "uninitialized" and f["array"] == "workspace",
        ("emu/launches_split_k",),
    ),
    Row(
        "barriers",
        "threads wait at different barriers, or for lanes with another mask",
        barrier(True),
        ("emu/barrier_in_uniform_branch", "emu/warp_masks_of_halves"),
    ),
    Row(
        "barriers",
        "threads or lanes wait for others that never arrive",
        barrier(False),
        ("right/tiled/no_barrier_after_the_last_tile", "emu/warp_lanes_returned"),
    ),
    Row(
        "barriers",
        "a phase of an mbarrier never completes",
        lambda f: f["kind"] == "barrier_divergence"
        and PHASE <= number(f, "detail") < PHASES_END,
        ("emu/mbarrier_phases", "emu/bulk_copies"),
    ),
    Row(
        "barriers",
        "not all threads of a warpgroup make a call of it, or with other arguments",
        lambda f: f["kind"] == "barrier_divergence" and PHASES_END <= number(f, "detail") < CLUSTER,
        ("emu/wgmma_stages", "emu/wgmma_layouts"),
    ),
    Row(
        "barriers",
        "threads of a cluster wait for others at its barrier that never arrive",
        lambda f: f["kind"] == "barrier_divergence" and number(f, "detail") == CLUSTER,
        ("emu/cluster_ring", "emu/cluster_arrive_and_wait"),
    ),
    Row(
        "barriers",
        "other threads had returned: a warning",
        of_kind("exited_before_barrier"),
        ("right/tiled/whole_blocks_return", "right/naive/early_return"),
    ),
    Row(
        "alignment",
        "a vector type at an address that is not a multiple of its size",
        of_kind("misaligned"),
        ("emu/global_aligned", "right/transpose/four_at_once", "right/naive/float4_where_aligned"),
    ),
    Row(
        "inputs",
        "A or B written",
        of_kind("input_written"),
        ("right/stencil/in_place", "right/naive/sums_in_c"),
    ),
    Row("crash", "null pointer", crash("null pointer"), ("right/tiled/table_of_row_pointers",)),
    Row("crash", "wild pointer", crash("wild pointer"), ("right/naive/pointers_to_the_end",)),
    Row("crash", "not shared memory", crash("not shared memory"), ("emu/ptx_tensor_cores",)),
    Row("crash", "not global memory", crash("not global memory"), ("emu/ptx_copies",)),
    Row("crash", "no mbarrier", crash("no mbarrier"), ("emu/mbarrier_phases",)),
    Row(
        "crash",
        "no mbarrier in another block",
        crash("no mbarrier in another block"),
        ("emu/cluster_ptx", "emu/cluster_multicast"),
    ),
    Row(
        "crash",
        "mbarrier.init of an mbarrier in use",
        crash("mbarrier initialised again"),
        ("emu/mbarrier_used_again",),
    ),
    Row(
        "crash",
        "a store to an mbarrier in use",
        crash("mbarrier stored to"),
        ("emu/mbarrier_used_again",),
    ),
    Row("crash", "mbarrier count", crash("mbarrier count"), ("emu/mbarrier_largest_numbers",)),
    Row(
        "crash",
        "mbarrier arrivals",
        crash("mbarrier arrivals"),
        ("emu/mbarrier_largest_numbers",),
    ),
    Row("crash", "mbarrier bytes", crash("mbarrier bytes"), ("emu/mbarrier_largest_numbers",)),
    Row("crash", "mbarrier parity", crash("mbarrier parity"), ("emu/mbarrier_phases",)),
    Row("crash", "bulk copy size", crash("bulk copy size"), ("emu/bulk_copies",)),
    Row("crash", "no tensor map", crash("no tensor map"), ("emu/tensor_copies",)),
    Row("crash", "empty tensor map", crash("empty tensor map"), ("emu/tensor_copies",)),
    Row("crash", "tensor map touched", crash("tensor map touched"), ("emu/tensor_copies",)),
    Row("crash", "tensor rank", crash("tensor rank"), ("emu/tensor_copies",)),
    Row("crash", "tensor column", crash("tensor column"), ("emu/tensor_copies",)),
    Row("crash", "not a local array", crash("not a local array"), ("emu/wgmma_types",)),
    Row(
        "crash",
        "cluster rank",
        crash("cluster rank"),
        ("emu/cluster_ring",),
    ),
    Row("crash", "cluster mask", crash("cluster mask"), ("emu/cluster_multicast",)),
    Row(
        "crash",
        "cluster arrive and wait",
        crash("cluster arrive and wait"),
        ("emu/cluster_arrive_and_wait",),
    ),
    Row(
        "crash",
        "pointer of another block",
        crash("pointer of another block"),
        ("emu/cluster_reduction",),
    ),
    Row(
        "crash",
        "stack overflow",
        crash("stack overflow"),
        ("emu/recursion_that_ends", "right/naive/recursive_sum"),
    ),
    Row(
        "crash",
        "division by zero",
        crash("division by zero"),
        ("emu/division_by_zero_of_floats",),
    ),
    Row("crash", "trap", crash("trap"), ("emu/language",)),
    Row("crash", "assertion failed", crash("assertion failed"), ("right/naive/asserts_that_hold",)),
    Row(
        "budget",
        "the kernel does not end",
        of_kind("time_limit"),
        ("emu/within_the_budget", "emu/spin_on_flag", "right/dot/lock"),
    ),
    Row(
        "output",
        "the kernel prints too much",
        of_kind("output_limit"),
        ("emu/printf_widths", "right/naive/prints_a_little"),
    ),
    Row(
        "coverage",
        "parts of C are never written",
        of_kind("gap C"),
        ("right/tiled/whole_tiles_first", "right/register_tiled/uneven_tile"),
    ),
    Row(
        "coverage",
        "parts of A or B are never read",
        lambda f: f["kind"] in ("gap A", "gap B"),
        ("right/tiled/odd_tile", "right/tiled/short_last_tile"),
    ),
]

# What the judge finds by itself: the verdict of the first line is the row.
JUDGED = {
    "build_error": ("the compiler refuses", ("right/tiled/bindings_and_folds",)),
    "not_allowed": (
        "host code, or data that outlive a launch",
        ("right/naive/constant_table", "right/tiled/template_helpers"),
    ),
    "no_kernel": (
        "no kernel of that name, or no launch configuration",
        ("right/naive/second_kernel_in_the_file",),
    ),
    "bad_signature": ("the parameters differ", ("right/naive/read_only_loads",)),
    "needs_gpu": ("code that only a GPU can run", ("right/tiled/group_of_the_block",)),
    "bad_launch": (
        "a configuration that CUDA refuses",
        (
            "right/naive/thousand_threads",
            "right/naive/launch_by_size",
            "right/tiled/launch_bounds_of_a_constant",
        ),
    ),
    "memory_limit": ("more memory than there is", ("right/tiled/tile_of_32",)),
    "low_precision": (
        "fewer bits than fp32",
        ("right/naive/compensated_sum", "right/naive/half_that_is_no_term"),
    ),
    "wrong_result": (
        "C is not the product",
        ("right/naive/backwards", "right/tiled/transposed_tile"),
    ),
    "not_written": (
        "C still has its old values",
        ("right/tiled/results_through_the_tile", "right/tiled/whole_tiles_first"),
    ),
    "slow": ("right, but slow", ("right/naive/x_walks_down",)),
}

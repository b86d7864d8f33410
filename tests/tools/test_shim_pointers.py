"""Every function of the runtime that takes a pointer from a kernel passes it to the hooks.

A kernel of tests/emu hands it one that is wrong, and a finding is expected there.
"""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHIM = [ROOT / "grader/emu/shim", ROOT / "grader/include/standin/emu"]

# By the name that the linker sees; functions that access nothing, and those of the judge, have no
# kernel.
KERNELS = {
    r"match_all_.*": "match_all_outside",
    r"memcpy|memset": "memory_functions_outside",
    r"assign_.*": "float4_by_value_misaligned",
    r"runtime.*": "atomics_out_of_bounds",
    r"printf": "printf_bad_string",
    r"matrix_(load|store)": "wmma_outside",
    r"matrix_rows": "ptx_rows_in_global_memory",
    r"async_copy": "async_outside",
    r"bulk_load": "bulk_misaligned",
    r"bulk_store": "bulk_store_read_too_early",
    r"tensor_(load|multicast)": "tensor_misaligned",
    r"tensor_store": "tensor_store_to_an_input",
    r"wgmma_multiply": "wgmma_sums_in_shared_memory",
    r"wgmma_descriptor": "wgmma_descriptor_of_global_memory",
    r"mbarrier_.*": "mbarrier_not_initialised",
    r"cluster_mbarrier_arrive": "cluster_ptx_no_cluster_barrier",
    r"cluster_map": "cluster_past_the_array",
    r"load_acquire_32": "tensor_flag_no_acquire",
    r"add_release_32": "tensor_flag_no_release",
    r"ldg": "ldg_after_a_store",
    r"is_global|is_shared|note_values|tensor_prefetch": "",
}


def taken() -> dict[str, str]:
    """The functions that take a pointer or a reference, by name, with their parameters."""
    found = {}
    for folder in SHIM:
        # The functions of host code are tried by tests/programs.
        for path in sorted(set(folder.glob("*.h")) - set(folder.glob("program_*.h"))):
            text = re.sub(r"//.*", "", path.read_text("utf-8")).replace("\\\n", " ")
            name = r'(?:EMU_NAME\(([\w#]+)\)|__asm__\("emu_(\w+)"\))'
            for call in re.finditer(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*" + name, text):
                if "*" in call[1] or "&" in call[1]:
                    found[call[2] or call[3]] = call[1]
    return found


class Pointers(unittest.TestCase):
    def test_each_function_has_a_kernel_that_gives_it_a_wrong_one(self) -> None:
        found = taken()
        self.assertGreater(len(found), 25)
        for name, parameters in found.items():
            rows = [kernel for pattern, kernel in KERNELS.items() if re.fullmatch(pattern, name)]
            self.assertEqual(len(rows), 1, f"emu_{name}({parameters}): which kernel tries it?")
            if rows[0]:
                text = (ROOT / f"tests/emu/{rows[0]}.cu").read_text("utf-8")
                self.assertIn("// expect: ", text, rows[0])

    def test_functions_of_the_c_library_take_none_to_store_to(self) -> None:
        for path in (*SHIM[0].glob("*.h"), *SHIM[1].glob("*.h")):
            text = path.read_text("utf-8")
            for block in re.findall(r'extern "C" \{(.*?)\n\}', text, re.S):
                declared = re.findall(r"^[\w ]+ \w+\([^()]*\*[^()]*\);", block, re.M)
                self.assertEqual(declared, [], path)


if __name__ == "__main__":
    unittest.main()

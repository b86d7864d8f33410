// The sentences about asynchronous copies, wgmma, mbarriers and dependent launches, word for word.
#include "race_text.h"

START_TEST(copy_under_way_names_the_wait) {
    struct judged_finding race = race_of(ACCESS_WRITE, ACCESS_READ);
    race.finding.parties = PARTIES_COPY;
    expect(
        race,
        "Line 22 reads As[3][0] while the asynchronous copy of line 13 still fills it: wait for "
        "the copy. The copy was started by thread (5, 3, 0), and the read was made by thread (0, "
        "3, 0) of block (1, 2, 0). A barrier does not wait for a copy. The thread that started the "
        "copy must first wait for its group; a barrier after that wait is for the other threads.",
        "tiled.cu:13: line 22 reads As[3][0] while the asynchronous copy of line 13 still fills "
        "it: wait for the copy.");
    race.finding.detail = RACE_LACKS_COMMIT;
    expect(
        race,
        "Line 22 reads As[3][0] while the asynchronous copy of line 13 still fills it: wait for "
        "the copy. The copy was started by thread (5, 3, 0), and the read was made by thread (0, "
        "3, 0) of block (1, 2, 0). The copy is in no group yet: a wait for groups leaves it out "
        "until its thread commits it. A barrier does not wait for a copy. The thread that started "
        "the copy must first wait for its group; a barrier after "
        "that wait is for the other threads.",
        "tiled.cu:13: line 22 reads As[3][0] while the asynchronous copy of line 13 still fills "
        "it: wait for the copy.");
    race = in_lines(race_of(ACCESS_WRITE, ACCESS_WRITE), 13, 13);
    race.finding.parties = PARTIES_COPY;
    expect(race,
           "Line 13 stores As[3][0] while another asynchronous copy of line 13 still fills it: "
           "wait for it first, or copy to another place. The copy was started by thread (5, 3, 0), "
           "and the store was made by thread (0, 3, 0) of block (1, 2, 0). A barrier does not wait "
           "for a copy. The thread that started the copy must first wait for its group; a barrier "
           "after that wait is for the other threads.",
           "tiled.cu:13: line 13 stores As[3][0] while another asynchronous copy of line 13 still "
           "fills it: wait for it first, or copy to another place.");
}
END_TEST

START_TEST(bulk_copy_under_way_names_its_wait) {
    struct judged_finding race = race_of(ACCESS_READ, ACCESS_WRITE);
    race.finding.parties = PARTIES_BULK;
    expect(race,
           "Line 22 stores As[3][0] while the bulk copy of line 13 still reads it: wait for its "
           "group first, or store to another place. The copy was started by thread (5, 3, 0), and "
           "the store was made by thread (0, 3, 0) of block (1, 2, 0). A barrier does not wait for "
           "a bulk copy. The thread that started it must first wait for its group (`.read` is "
           "enough); a barrier after that wait is for the other threads.",
           "tiled.cu:13: line 22 stores As[3][0] while the bulk copy of line 13 still reads it: "
           "wait for its group first, or store to another place.");
    race.finding.other_block[0] = 3;
    expect(race,
           "Line 22 stores As[3][0] while the bulk copy of line 13 still reads it: wait for its "
           "group first, or store to another place. The copy was started by thread (5, 3, 0) of "
           "block (1, 2, 0), and the store was made by thread (0, 3, 0) of block (3, 2, 0). A "
           "barrier does not wait for a bulk copy. The thread that started it must first wait for "
           "its group (`.read` is enough); a barrier after that wait is for the other threads.",
           "tiled.cu:13: line 22 stores As[3][0] while the bulk copy of line 13 still reads it: "
           "wait for its group first, or store to another place.");
    race = race_of(ACCESS_WRITE, ACCESS_READ);
    race.finding.detail = RACE_LACKS_PROXY;
    expect(race,
           "A `fence.proxy.async` is missing before the bulk copy: line 13 stores As[3][0], then "
           "line 22 reads it. The first was thread (5, 3, 0), the second thread (0, 3, 0), both of "
           "block (1, 2, 0). A bulk copy does not read memory in the same way as a thread. A "
           "barrier or a flag alone does not order the two; a fence for shared memory does so in "
           "shared memory, a fence for global memory in global memory.",
           "tiled.cu:13: a `fence.proxy.async` is missing before the bulk copy: line 13 stores "
           "As[3][0], then line 22 reads it.");
}
END_TEST

START_TEST(wgmma_names_its_wait_or_its_fence) {
    struct judged_finding race = race_of(ACCESS_READ, ACCESS_WRITE);
    race.finding.parties = PARTIES_WGMMA;
    expect(race,
           "Line 22 stores As[3][0] while the wgmma of line 13 still reads it: wait for its group "
           "first, or store to another place. The wgmma is one of the warpgroup of thread (5, 3, "
           "0), and the store was made by thread (0, 3, 0) of block (1, 2, 0). A wgmma goes on "
           "while its threads do, and a barrier does not wait for it. The warpgroup must first "
           "wait for its group; a barrier or an mbarrier after that wait is for the other threads.",
           "tiled.cu:13: line 22 stores As[3][0] while the wgmma of line 13 still reads it: wait "
           "for its group first, or store to another place.");
    race = race_of(ACCESS_WRITE, ACCESS_READ);
    race.finding.detail = RACE_LACKS_PROXY;
    race.finding.parties = PARTIES_WGMMA_READS;
    expect(race,
           "A `fence.proxy.async` is missing before the wgmma: line 13 stores As[3][0], then line "
           "22 reads it. The first was thread (5, 3, 0), the second thread (0, 3, 0), both of "
           "block (1, 2, 0). A wgmma does not access shared memory in the same way as a thread, "
           "and a barrier alone does not order the two.",
           "tiled.cu:13: a `fence.proxy.async` is missing before the wgmma: line 13 stores "
           "As[3][0], then line 22 reads it.");
}
END_TEST

START_TEST(wgmma_names_the_registers_that_it_uses) {
    struct judged_finding race = race_of(ACCESS_WRITE, ACCESS_READ);
    race.finding.parties = PARTIES_SUMS;
    expect(race,
           "Line 22 reads sums that the wgmma of line 13 still computes: wait for its group first. "
           "It was thread (5, 3, 0) of block (1, 2, 0). A wgmma goes on while its threads do. Its "
           "sums are there after a `wgmma.commit_group` and a `wgmma.wait_group` that covers that "
           "group.",
           "tiled.cu:13: line 22 reads sums that the wgmma of line 13 still computes: wait for its "
           "group first.");
    race.finding.parties = PARTIES_REGISTERS;
    race.finding.detail = RACE_LACKS_WGMMA;
    race.finding.pc = 1;
    expect(race,
           "A `wgmma.fence` is missing between line 13, which reads or sets an array, and the "
           "wgmma in line 22, which uses it. It was thread (5, 3, 0) of block (1, 2, 0). A wgmma "
           "does not use registers in the same way as the instructions of its threads, and this "
           "fence orders the two. Between two wgmmas that add to the same sums no fence is needed.",
           "tiled.cu:13: a `wgmma.fence` is missing between line 13, which reads or sets an array, "
           "and the wgmma in line 22, which uses it.");
    race.finding.other_pc = 1;
    expect(race,
           "A `wgmma.fence` is missing before the first wgmma, in line 13. It was thread (5, 3, 0) "
           "of block (1, 2, 0). A wgmma does not use registers in the same way as the "
           "instructions of its threads, and this fence orders the two. Between two wgmmas that "
           "add to the same sums no fence is needed.",
           "tiled.cu:13: a `wgmma.fence` is missing before the first wgmma, in line 13.");
}
END_TEST

START_TEST(bulk_copy_outlives_its_block) {
    struct judged_finding race = race_of(ACCESS_READ, ACCESS_NONE);
    race.finding.parties = PARTIES_BULK;
    race.finding.detail = RACE_AT_END;
    race.finding.other_line = 0;
    expect(race,
           "The block may end while the bulk copy of line 13 still reads As[3][0]: wait for its "
           "group first. The copy was started by thread (5, 3, 0) of block (1, 2, 0). After the "
           "end of a block, its shared memory belongs to the next one. The thread that started "
           "the copy must wait for its group before it ends (`.read` is enough).",
           "tiled.cu:13: the block may end while the bulk copy of line 13 still reads As[3][0]: "
           "wait for its group first.");
}
END_TEST

START_TEST(bulk_copy_fills_again_what_is_read) {
    struct judged_finding race = race_of(ACCESS_WRITE, ACCESS_READ);
    race.finding.parties = PARTIES_BULK;
    race.finding.detail = RACE_REFILLED;
    expect(race,
           "Line 22 reads As[3][0] while the asynchronous copy of line 13 fills it again: one of "
           "the two must wait for the other. The copy was started by thread (5, 3, 0), and the "
           "read was made by thread (0, 3, 0) of block (1, 2, 0). An earlier copy has filled the "
           "same place. If the read needs the data of the earlier copy, the next copy must not "
           "begin until the read is done. If it needs the data of this copy, its thread must "
           "first wait, in a loop, for the phase of the mbarrier that the copy names.",
           "tiled.cu:13: line 22 reads As[3][0] while the asynchronous copy of line 13 fills it "
           "again: one of the two must wait for the other.");
}
END_TEST

START_TEST(block_of_a_cluster_may_not_run) {
    struct judged_finding race = race_of(ACCESS_WRITE, ACCESS_NONE);
    race.finding.flags = FINDING_BETWEEN_BLOCKS;
    race.finding.detail = RACE_BLOCK_ENDS;
    expect(race,
           "Line 13 stores As[3][0] of another block of the cluster, which may have ended before. "
           "The access was made by thread (5, 3, 0) of block (1, 2, 0). The last thread of block "
           "(1, 2, 0) to end was thread (0, 3, 0). The shared memory of a block is gone when it "
           "ends: a `cluster.sync()` is missing after the access, so that no block ends before.",
           "tiled.cu:13: line 13 stores As[3][0] of another block of the cluster, which may have "
           "ended before.");
    race.finding.detail = RACE_BLOCK_BEGINS;
    expect(race,
           "Line 13 stores As[3][0] of another block of the cluster, which may not have begun yet. "
           "The access was made by thread (5, 3, 0) of block (1, 2, 0). Only after a barrier of "
           "the cluster is it certain that all its blocks run: a `cluster.sync()` is missing "
           "before the access.",
           "tiled.cu:13: line 13 stores As[3][0] of another block of the cluster, which may not "
           "have begun yet.");
}
END_TEST

START_TEST(mbarrier_begins_before_its_use_and_ends_after_it) {
    static const char *rest =
        "All threads must see the mbarrier.init before they use the mbarrier, and mbarrier.inval "
        "must come after the last use by any thread, also after waits that poll it: put a barrier "
        "of the block between them.";
    struct judged_finding race = race_of(ACCESS_WRITE, ACCESS_READ);
    race.finding.detail = RACE_OF_MBARRIER;
    says(race, "nothing orders the mbarrier.init of As[3][0] in line 13 before its use in line 22",
         rest);
    race = race_of(ACCESS_READ, ACCESS_WRITE);
    race.finding.detail = RACE_OF_MBARRIER;
    says(race,
         "nothing orders the use of the mbarrier As[3][0] in line 13 before its mbarrier.inval in "
         "line 22",
         rest);
}
END_TEST

START_TEST(dependent_launch_waits_for_what_it_uses) {
    struct judged_finding race = race_of(ACCESS_READ, ACCESS_WRITE);
    race.finding.flags = FINDING_BETWEEN_BLOCKS;
    race.finding.detail = RACE_LACKS_GRID_WAIT;
    expect(race,
           "Line 13 reads As[3][0], which line 22 of an earlier launch stores, without waiting for "
           "that launch. It was thread (5, 3, 0) of block (1, 2, 0). A launch of "
           "`LAUNCH_DEPENDENT` may run while earlier launches still do. Before this access its "
           "thread must call `ptx::griddepcontrol_wait()`; or another thread calls it, and a "
           "barrier follows.",
           "tiled.cu:13: line 13 reads As[3][0], which line 22 of an earlier launch stores, "
           "without waiting for that launch.");
    race = race_of(ACCESS_WRITE, ACCESS_READ);
    race.finding.flags = FINDING_BETWEEN_BLOCKS;
    race.finding.detail = RACE_LAUNCH_NOT_WAITED_FOR;
    expect(race,
           "Line 13 stores As[3][0], which line 22 of an earlier launch reads, without waiting for "
           "that launch. It was thread (5, 3, 0) of block (1, 2, 0). `ptx::griddepcontrol_wait()` "
           "waits for the launch before this one. That one is a `LAUNCH_DEPENDENT` too, and none "
           "of its threads has called `ptx::griddepcontrol_wait()`, so the earlier launch may "
           "still be running.",
           "tiled.cu:13: line 13 stores As[3][0], which line 22 of an earlier launch reads, "
           "without waiting for that launch.");
}
END_TEST

SUITE() {
    Suite *suite = suite_create("race_async_text");
    TCase *tests = tcase_create("texts");
    tcase_add_test(tests, copy_under_way_names_the_wait);
    tcase_add_test(tests, bulk_copy_under_way_names_its_wait);
    tcase_add_test(tests, wgmma_names_its_wait_or_its_fence);
    tcase_add_test(tests, wgmma_names_the_registers_that_it_uses);
    tcase_add_test(tests, bulk_copy_outlives_its_block);
    tcase_add_test(tests, bulk_copy_fills_again_what_is_read);
    tcase_add_test(tests, block_of_a_cluster_may_not_run);
    tcase_add_test(tests, mbarrier_begins_before_its_use_and_ends_after_it);
    tcase_add_test(tests, dependent_launch_waits_for_what_it_uses);
    suite_add_tcase(suite, tests);
    return suite;
}

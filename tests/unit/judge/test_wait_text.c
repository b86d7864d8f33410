// The sentences that a student reads about waits, word for word.
#include "finding_text.h"

START_TEST(call_of_a_warpgroup_names_all_its_threads) {
    struct judged_finding finding = finding_of(FINDING_BARRIER_DIVERGENCE);
    finding.finding.count_waiting = 64;
    finding.finding.detail = WARPGROUP_CALL_ABSENT;
    expect(finding,
           "64 threads wait in line 22 for the rest of their warpgroup, which does not make this "
           "call. This happened in block (1, 2, 0). All 128 threads of a warpgroup must make this "
           "call together, in the same line. A warpgroup begins at a multiple of 128 threads.",
           "tiled.cu:22: 64 threads wait in line 22 for the rest of their warpgroup, which does "
           "not make this call.");
    finding.finding.detail = WARPGROUP_CALL_VALUES;
    expect(finding,
           "The threads of a warpgroup pass different arguments to the call in line 22. This "
           "happened in block (1, 2, 0). A wgmma is one multiplication of the whole warpgroup: its "
           "descriptors and its scale_d are the same in all 128 threads.",
           "tiled.cu:22: the threads of a warpgroup pass different arguments to the call in line "
           "22.");
}
END_TEST

START_TEST(phase_without_an_end_names_what_it_lacks) {
    struct judged_finding finding = finding_of(FINDING_BARRIER_DIVERGENCE);
    finding.finding.detail = PHASE_EXCEEDS_BYTES;
    finding.finding.count_waiting = 16;
    finding.finding.phase_bytes = 64;
    finding.finding.array = ARRAY_NONE;
    expect(finding,
           "Threads of a block wait for ever, 16 of them in line 22, for a phase of an mbarrier "
           "whose copies have brought 64 bytes that it does not expect. This happened in block "
           "(1, 2, 0). The phase is number 0, counted from 0, so its parity is 0. A phase is "
           "complete when exactly the bytes that expect_tx announces have been copied by the "
           "copies that name its mbarrier, with their zeros outside an array.",
           "tiled.cu:22: threads of a block wait for ever, 16 of them in line 22, for a phase of "
           "an mbarrier whose copies have brought 64 bytes that it does not expect.");
    finding.finding.phases = 3;
    finding.finding.array = 3;
    finding.finding.offset = 8;
    finding.finding.inits = 1;
    finding.finding.init_line = 9;
    expect(
        finding,
        "Threads of a block wait for ever, 16 of them in line 22, for a phase of the mbarrier "
        "full[1] whose copies have brought 64 bytes that it does not expect. This happened in "
        "block (1, 2, 0). The mbarrier is initialised in line 9. The phase is number 3, counted "
        "from 0, so its parity is 1. These bytes may come from several phases: the excess of one "
        "phase counts towards the next. A phase is complete when exactly the bytes that "
        "expect_tx announces have been copied by the copies that name its mbarrier, with their "
        "zeros outside an array.",
        "tiled.cu:22: threads of a block wait for ever, 16 of them in line 22, for a phase of "
        "the mbarrier full[1] whose copies have brought 64 bytes that it does not expect.");
}
END_TEST

// Where it is, and what the sentence calls it.
START_TEST(mbarrier_is_named_as_its_array_allows) {
    static const struct {
        uint32_t array;
        int64_t offset;
        const char *name;
    } named[] = {{3, 0, "full[0]"},        // of mbarriers
                 {4, 0, "empty"},          // a variable
                 {5, 264, "memory[264]"},  // bytes
                 {6, 136, "at byte 8 of ring[1]"},
                 {6, 128, "at byte 0 of ring[1]"},
                 {7, 16, "at byte 16 of buffers"},
                 {2, 264, "tile[66]"}};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        struct judged_finding finding = finding_of(FINDING_BARRIER_DIVERGENCE);
        char headline[256];
        finding.finding.detail = PHASE_LACKS_BYTES;
        finding.finding.count_waiting = 2;
        finding.finding.array = named[i].array;
        finding.finding.offset = named[i].offset;
        finding.finding.phase_bytes = 128;
        finding_explain(&finding, &table);
        (void)snprintf(headline, sizeof headline,
                       "threads of a block wait for ever, 2 of them in line 22, for a phase of the "
                       "mbarrier %s that expects 128 bytes which no copy has brought",
                       named[i].name);
        ck_assert_str_eq(plain(finding.clause), headline);
    }
}
END_TEST

START_TEST(crash_in_a_cluster_says_what_was_missed) {
    struct judged_finding finding = finding_of(FINDING_CRASH);
    finding.finding.array = ARRAY_NONE;
    finding.finding.detail = CRASH_NO_MBARRIER_THERE;
    expect(finding,
           "An mbarrier of another block of the cluster was used before that block initialised it. "
           "It was thread (5, 3, 0) of block (1, 2, 0). Between mbarrier.init and the first "
           "use by another block, all threads of all blocks must meet at a barrier of the cluster. "
           "`__syncthreads()` waits for one block only.",
           "tiled.cu:22: an mbarrier of another block of the cluster was used before that block "
           "initialised it.");
    finding.finding.detail = CRASH_CLUSTER_RANK;
    finding.finding.offset = 18;
    finding.finding.array_bytes = 1;
    expect(finding,
           "A call names the rank 18 of a cluster whose ranks are 0 to 1. It was thread (5, 3, 0) "
           "of block (1, 2, 0).",
           "tiled.cu:22: a call names the rank 18 of a cluster whose ranks are 0 to 1.");
    finding.finding.detail = CRASH_CLUSTER_MASK;
    finding.finding.offset = 4;
    finding.finding.array_bytes = 3;
    expect(finding,
           "The mask of a copy to several blocks of a cluster is 4: with a bit for each block, it "
           "is at most 3. It was thread (5, 3, 0) of block (1, 2, 0).",
           "tiled.cu:22: the mask of a copy to several blocks of a cluster is 4: with a bit for "
           "each block, it is at most 3.");
}
END_TEST

START_TEST(refused_number_of_an_mbarrier_is_told_with_its_limit) {
    struct judged_finding finding = finding_of(FINDING_CRASH);
    finding.finding.array = ARRAY_NONE;
    finding.finding.detail = CRASH_MBARRIER_COUNT;
    finding.finding.offset = 0;
    finding.finding.array_bytes = 1048575;
    expect(
        finding,
        "The count given to mbarrier.init was 0: it must be 1 to 1048575. It was thread (5, 3, 0) "
        "of block (1, 2, 0).",
        "tiled.cu:22: the count given to mbarrier.init was 0: it must be 1 to 1048575.");
    finding.finding.detail = CRASH_MBARRIER_BYTES;
    finding.finding.offset = 1048576;
    expect(finding,
           "The bytes that a phase of an mbarrier expects, less those that were copied, became "
           "1048576: they must be from -1048575 to 1048575. It was thread (5, 3, 0) of block (1, "
           "2, 0).",
           "tiled.cu:22: the bytes that a phase of an mbarrier expects, less those that were "
           "copied, became 1048576: they must be from -1048575 to 1048575.");
    finding.finding.detail = CRASH_MBARRIER_ARRIVALS;
    finding.finding.offset = 4;
    finding.finding.array_bytes = 3;
    expect(finding,
           "A call made arrivals at an mbarrier, 4 in number, when its phase lacked 3: the number "
           "must be at least 1 and at most what the phase lacks. It was thread (5, 3, 0) of block "
           "(1, 2, 0).",
           "tiled.cu:22: a call made arrivals at an mbarrier, 4 in number, when its phase lacked "
           "3: the number must be at least 1 and at most what the phase lacks.");
    finding.finding.offset = 1;
    finding.finding.array_bytes = 0;
    expect(finding,
           "A call arrives at an mbarrier for the next phase, but this phase is not complete: it "
           "has all its arrivals, but not exactly its bytes. It was thread (5, 3, 0) of block (1, "
           "2, 0). A thread may arrive for the next phase only if it knows that this one is "
           "complete. Does it wait before this call, in a loop, and for the right phase?",
           "tiled.cu:22: a call arrives at an mbarrier for the next phase, but this phase is not "
           "complete: it has all its arrivals, but not exactly its bytes.");
    finding.finding.detail = CRASH_MBARRIER_PARITY;
    finding.finding.offset = 2;
    expect(finding,
           "A wait for an mbarrier was given the parity 2: PTX defines only 0 and 1, the number of "
           "the phase modulo 2. It was thread (5, 3, 0) of block (1, 2, 0).",
           "tiled.cu:22: a wait for an mbarrier was given the parity 2: PTX defines only 0 and 1, "
           "the number of the phase modulo 2.");
}
END_TEST

START_TEST(phase_that_others_hold_up_names_both_waits) {
    struct judged_finding finding = finding_of(FINDING_BARRIER_DIVERGENCE);
    finding.finding.detail = PHASE_LACKS_ARRIVALS;
    finding.finding.count_waiting = 1;
    finding.finding.count_absent = 4;
    finding.finding.phases = finding.finding.phases_missed = 32;
    finding.finding.count_other = 128;
    finding.finding.other_line = 30;
    finding.finding.array = 4;
    finding.finding.offset = 0;
    finding.finding.other_array = ARRAY_NONE;
    static const char *headline =
        "tiled.cu:22: threads of a block wait for ever, 1 of them in line 22, for a phase of the "
        "mbarrier empty that lacks 4 of its arrivals.";
    expect(
        finding,
        "Threads of a block wait for ever, 1 of them in line 22, for a phase of the mbarrier empty "
        "that lacks 4 of its arrivals. This happened in block (1, 2, 0). The phase is number 32, "
        "counted from 0, so its parity is 0. 32 phases of this mbarrier are complete, but the "
        "threads that wait for it now have waited for none of them. 128 threads wait in line 30 "
        "for another mbarrier: in the phase before, the arrivals that it lacks came from the "
        "threads that wait in line 22. A phase is complete when as many arrivals have been made as "
        "mbarrier.init says. If they have been, the wait is for another phase: the first one has "
        "the parity 0, and each later one the other parity.",
        headline);
    finding.finding.phases_missed = 0;
    finding.finding.other_line = 22;
    finding.finding.other_array = 3;
    finding.finding.other_offset = 16;
    finding.finding.init_line = 9;
    finding.finding.inits = 4;
    finding.finding.init_number = 1;
    expect(finding,
           "Threads of a block wait for ever, 1 of them in line 22, for a phase of the mbarrier "
           "empty that lacks 4 of its arrivals. This happened in block (1, 2, 0). The mbarrier is "
           "number 1, by address from 0, of the 4 that line 9 initialises. The phase is number 32, "
           "counted from 0, so its parity is 0. Others wait there for the mbarrier full[2], 128 in "
           "all: in the phase before, the arrivals that it lacks came from those named first. A "
           "phase is complete when as many arrivals have been made as mbarrier.init says. If they "
           "have been, the wait is for another phase: the first one has the parity 0, and each "
           "later one the other parity.",
           headline);
    finding.finding.other_line = 30;
    finding.finding.detail = PHASES_OF_TWO;
    finding.finding.absent_other = 2;
    finding.finding.init_line = 0;
    finding.finding.phase_bytes = 64;
    expect(finding,
           "Threads of a block wait for ever, 1 of them in line 22, for a phase of the mbarrier "
           "empty that lacks 4 of its arrivals. This happened in block (1, 2, 0). The phase is "
           "number 32, counted from 0, so its parity is 0. It also lacks 64 bytes. 128 threads "
           "wait in line 30, for a phase of the mbarrier full[2] that lacks 2 of its arrivals. A "
           "phase is complete when as many arrivals have been made as mbarrier.init says. If they "
           "have been, the wait is for another phase: the first one has the parity 0, and each "
           "later one the other parity.",
           headline);
}
END_TEST

START_TEST(output_is_read_before_the_bulk_copy_has_stored) {
    struct judged_finding race = finding_of(FINDING_RACE);
    race.finding.space = SPACE_GLOBAL;
    race.finding.array = ARRAY_C;
    race.finding.parties = PARTIES_BULK;
    race.finding.access = ACCESS_WRITE;
    race.finding.other_access = ACCESS_READ;
    expect(race,
           "Line 13 reads C[1][8] while the asynchronous copy of line 22 still fills it: wait for "
           "the copy. The copy was started by thread (5, 3, 0), and the read was made by thread "
           "(0, 3, 0) of block (1, 2, 0). The thread that started the copy must first wait for its "
           "group with `cp.async.bulk.wait_group`. With `.read` it waits only until the copy has "
           "read shared memory. A barrier after that wait is for the other threads.",
           "tiled.cu:22: line 13 reads C[1][8] while the asynchronous copy of line 22 still fills "
           "it: wait for the copy.");
}
END_TEST

SUITE() {
    Suite *suite = suite_create("wait_text");
    TCase *tests = tcase_create("texts");
    tcase_add_test(tests, call_of_a_warpgroup_names_all_its_threads);
    tcase_add_test(tests, phase_without_an_end_names_what_it_lacks);
    tcase_add_test(tests, mbarrier_is_named_as_its_array_allows);
    tcase_add_test(tests, crash_in_a_cluster_says_what_was_missed);
    tcase_add_test(tests, refused_number_of_an_mbarrier_is_told_with_its_limit);
    tcase_add_test(tests, phase_that_others_hold_up_names_both_waits);
    tcase_add_test(tests, output_is_read_before_the_bulk_copy_has_stored);
    suite_add_tcase(suite, tests);
    return suite;
}

// From what a checker saw to what a student reads: pure text, no file is opened.
//
// A message says what was seen, where (array, index, block, threads, lines, in the order of
// events), and why it matters.  It never contains the line that would fix it.
#ifndef JUDGE_EXPLAIN_FINDING_H
#define JUDGE_EXPLAIN_FINDING_H

#include "judge/model/finding.h"
#include "judge/model/verdict.h"

#define EXTENT_MAX   320  // bytes of what an array has, in any language
#define ELEMENT_MAX  160
#define MBARRIER_MAX (ELEMENT_MAX + 64)

// Fills array, index_count, index, clause, message and lesson of a finding whose finding (with
// lines), device, size and source are set. shared is the table of the kernel's __shared__ arrays;
// NULL if there is none (GPU).
void finding_explain(struct judged_finding *finding, const struct shared_array_table *shared);

// Writes the message of an explained finding again, from its clause, with `more` sentences after
// it.  names_thread: the clause says which thread it was.
void finding_retell(struct judged_finding *finding, const char *more, bool names_thread);

// Adds to an explained uninitialized read what most likely led to it: threads that had returned.
void finding_blame(struct judged_finding *finding, const struct judged_finding *exited);

// Adds to the message of an explained finding how many threads a block of the launch has, if that
// is what the index shows.
void finding_add_block(struct judged_finding *finding, const struct shared_array_table *shared,
                       const uint32_t block[3]);

// "tiled.cu:22: the barrier after loading is missing: …": one sentence, of an explained finding.
void finding_headline(const struct judged_finding *finding, const char *file,
                      char headline[ERROR_TEXT_MAX]);

// True if the message names the block that was seen.
bool finding_names_block(const struct judged_finding *finding);

// The verdict of an error of this kind; VERDICT_PASS for a note or a warning.
enum verdict finding_verdict(const struct finding *finding);

// Fills array ("" if there is none), index_count and index.
void finding_place(struct judged_finding *finding, const struct shared_array_table *shared);

// Writes for an access that is out of bounds what the array has: "A has rows 0 to 49", "s has
// elements 0 to 63". For an index past its row: the shared arrays of the line that it fits, "As and
// Bs".  "" if it is not known.
void finding_extent(const struct judged_finding *finding, const struct shared_array_table *shared,
                    char text[EXTENT_MAX]);

// Writes the element of a finding with a place as people write it: "As[3][0]"; "memory" if no array
// is known.
void finding_element(const struct judged_finding *finding, char element[ELEMENT_MAX]);

// Writes the mbarrier that is so many bytes after the start of a shared array: "the mbarrier
// full[1]", "the mbarrier at byte 8 of ring" (inside a struct, whose members have no names here).
// Returns false if the array is not known; then nothing is written.
bool finding_mbarrier(const struct shared_array_table *shared, uint32_t array, int64_t offset,
                      char text[MBARRIER_MAX]);

// Writes the name of the shared array that is marked in the source line; "" if it is none.
void finding_marked(const struct judged_finding *finding, const struct shared_array_table *shared,
                    char name[ARRAY_NAME_MAX]);

#endif

// From what a checker saw to what a student reads: pure text, no file is opened.
//
// A message says what was seen, where (array, index, block, threads, lines, in the order of
// events), and why it matters.  It never contains the line that would fix it.
#ifndef JUDGE_SAY_FINDING_TEXT_H
#define JUDGE_SAY_FINDING_TEXT_H

#include "judge/model/judged_finding.h"
#include "judge/model/verdict.h"

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

#endif

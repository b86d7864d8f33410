// Converts a checker's finding to text for a student; no file is opened.
//
// A message names the observation, its place (array, index, block, threads, lines, in the order of
// events), and why it matters.  It never contains the line that would fix the mistake.
#ifndef JUDGE_SAY_FINDING_TEXT_H
#define JUDGE_SAY_FINDING_TEXT_H

#include "judge/model/judged_finding.h"
#include "judge/model/verdict.h"

// Fills array, index_count, index, clause, message and lesson of a finding whose finding (with
// lines), device, size and source are set. shared is the table of the kernel's __shared__ arrays;
// NULL if there is none (GPU).
void finding_explain(struct judged_finding *finding, const struct shared_array_table *shared);

// Writes the message of an explained finding again, from its clause, with `more` sentences after
// it. names_thread: the clause names the thread.
void finding_retell(struct judged_finding *finding, const char *more, bool names_thread);

// Adds the observation of an explained finding and its threads to a text: "Two threads store …,
// both in line 22. The first was …".
void finding_observed(const struct judged_finding *finding, char text[ERROR_TEXT_MAX]);

// Adds the most likely cause to an explained uninitialized read: threads that had returned.
void finding_blame(struct judged_finding *finding, const struct judged_finding *exited);

// Adds the number of threads of a block to the message of an explained finding, if the index points
// to it.
void finding_add_block(struct judged_finding *finding, const struct shared_array_table *shared,
                       const uint32_t block[3]);

// "tiled.cu:22: the barrier after loading is missing: …": one sentence, of an explained finding.
void finding_headline(const struct judged_finding *finding, const char *file,
                      char headline[ERROR_TEXT_MAX]);

// True if the message names the block.
bool finding_names_block(const struct judged_finding *finding);

// The verdict of an error of this kind; VERDICT_PASS for a note or a warning.
enum verdict finding_verdict(const struct finding *finding);

// Fills array ("" if there is none), index_count and index.
void finding_place(struct judged_finding *finding, const struct shared_array_table *shared);

#endif

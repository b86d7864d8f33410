// The small pieces that texts about findings are put together from.  Internal to
// finding*.c.
#ifndef JUDGE_EXPLAIN_FINDING_WORDS_H
#define JUDGE_EXPLAIN_FINDING_WORDS_H

#include "base/compose.h"
#include "judge/explain/finding.h"

#define WHERE_MAX 64

// The parts of a finding's texts, worked out once.
struct words {
    const struct judged_finding *judged;
    const struct finding *seen;
    char element[ELEMENT_MAX];  // "As[3][0]"; "memory" if no array is known
    char extent[EXTENT_MAX];    // "A has rows 0 to 49"; of an index past its row the arrays that it
                                // may have been meant for: "As and Bs"
    char mbarrier[MBARRIER_MAX];  // whose phase does not end: "the mbarrier full[1]"
    char other_mbarrier[MBARRIER_MAX];
    char marked[ARRAY_NAME_MAX];  // the shared array that is marked in the line, or ""
};

// True if the access that comes second in the text, with no way back, was seen first.
bool words_turned(const struct judged_finding *judged);

// How they follow each other in the text.
enum hazard words_hazard_in_text(const struct judged_finding *judged);

// True if the two accesses of a race come from different blocks.
bool words_between_blocks(const struct finding *seen);

// True if the blocks of a cluster had to meet.
bool words_in_cluster(const struct finding *seen);

// True if both accesses are of one statement that reads an element and stores it again, as in
// `counts[key] += 1`.
bool words_is_update(const struct words *words);

// Each writes into text and returns it: "line 22" ("an unknown line" for 0), "thread (5, 3, 0)",
// "block (0, 0, 0)".
const char *words_line(uint32_t line, char text[WHERE_MAX]);
const char *words_thread(const uint32_t thread[3], char text[WHERE_MAX]);
const char *words_block(const uint32_t block[3], char text[WHERE_MAX]);

// "line 13 stores As[3][0], then line 22 reads it".
void words_events(const struct words *words, char text[CLAUSE_MAX]);

// Of a race of two blocks of a cluster: its clause, and why it matters.
void words_cluster_race(const struct words *words, char *clause);
void words_cluster_why(const struct finding *seen, char *message);
// The clause of a barrier of a cluster that not all threads reach.
void words_cluster_barrier(const struct words *words, char *clause);

// Of a race of two launches: true if it is one; its clause; why it matters.
bool words_of_launches(const struct finding *seen);
void words_launch_race(const struct words *words, char *clause);
void words_launch_why(const struct finding *seen, char *message);

// If the finding is about a wgmma: writes the clause and returns true; why it matters, else NULL.
bool words_wgmma(const struct words *words, char *clause);
const char *words_wgmma_why(const struct finding *seen);

// The clause of a race, and the threads and blocks, in the order of events.
void words_race_who(const struct words *words, char *message);
void words_race(const struct words *words, char *clause);

// Says what was seen in a few words that fit after "tiled.cu:22: data race: ".
void words_clause(const struct words *words, char clause[CLAUSE_MAX]);

// Adds to the message why it matters, and what to look at.
void words_why(const struct words *words, char *message);

#endif

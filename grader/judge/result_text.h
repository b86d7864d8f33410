// Text that others chose, made fit for result.json.
#ifndef JUDGE_RESULT_TEXT_H
#define JUDGE_RESULT_TEXT_H

// A copy of text that is valid UTF-8 without control characters: '?' stands for each byte that is
// neither, tabs become blanks, line feeds stay.  NULL where there is no memory.  Owns: the caller
// frees.
char *result_text_clean(const char *text);

#endif

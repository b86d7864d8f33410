// The values of variables at one access, for the text of a finding: the judge writes the call
// around an index of the kernel, in a build of its own (judge/diagnose/second_builds.c).
#ifndef EMU_SHIM_CUDA_NOTES_H
#define EMU_SHIM_CUDA_NOTES_H

long long __tilegrade_note_values(int count, const long long *values) EMU_NAME(note_values);

// An integer as it is; the smallest number in the place of anything else.
template <class T>
EMU_PLAIN auto __tilegrade_number(const T &value, int) -> decltype(value % 1, (long long)value) {
    return (long long)value;
}
template <class T> EMU_PLAIN long long __tilegrade_number(const T &, long) {
    return -__LONG_LONG_MAX__ - 1;
}

// Notes the index and the values for this thread.  Returns the index, so that the access comes
// after the note.
template <class T, class... V>
EMU_PLAIN auto __tilegrade_note(T index, const V &...value) -> decltype(index % 1, T(index)) {
    const long long values[] = {(long long)index, __tilegrade_number(value, 0)...};
    return (T)__tilegrade_note_values((int)sizeof...(value) + 1, values);
}

#endif

// Elements of an array.
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif

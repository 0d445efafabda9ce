/* A folder of a test program's own: made before its tests (cmocka's group set-up), removed
 * with all that is in it after them. In memory where that is possible: some tests sync
 * thousands of times. */
#pragma once

extern char own_folder[64];

int own_folder_make(void **state);
int own_folder_remove(void **state);
const char *in_own_folder(const char *name); /* a path in it; good for the next 511 calls */

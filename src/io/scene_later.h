/* Features of the scene format that this version cannot run: refused by name rather
 * than as a misspelt key. */
#pragma once

#include "flow/param.h"

#define SCENE_NOT_YET "is not available in this version of Rill (" RILL_VERSION ")"

/* Whether the key of this table's block, the shape, the word of a list or the method is
 * known but not available yet. */
bool later_key(const rill_param *table, const char *key);
bool later_shape(const char *name);
bool later_word(const char *word);
bool later_method(const char *name);

/* The replacement of a key that a block (by its label in messages) no longer has; NULL: there was no such
 * key. */
const char *replaced_key(const char *label, const char *key);

#include "folders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char own_folder[64];

int own_folder_make(void **state)
{
    (void)state;
    strcpy(own_folder, "/dev/shm/rill_test_XXXXXX");
    if (mkdtemp(own_folder)) return 0;
    strcpy(own_folder, "/tmp/rill_test_XXXXXX");
    return mkdtemp(own_folder) ? 0 : -1;
}

int own_folder_remove(void **state)
{
    (void)state;
    char command[sizeof own_folder + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", own_folder);
    return system(command) == 0 ? 0 : -1;
}

const char *in_own_folder(const char *name)
{
    static char path[512][256]; /* more than a test uses */
    static int k;
    k = (k + 1) % 512;
    snprintf(path[k], sizeof path[k], "%s/%s", own_folder, name);
    return path[k];
}

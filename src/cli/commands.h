/* The commands of the program, one file each: cmd_NAME.c. */
#pragma once

#include "cli/options.h"

extern const command *const rill_commands[]; /* in the order --help lists them; NULL at the end */

extern const command cmd_bench;
extern const command cmd_completion;
extern const command cmd_doctor;
extern const command cmd_compare;
extern const command cmd_export;
extern const command cmd_info;
extern const command cmd_resume;
extern const command cmd_run;
extern const command cmd_render;
extern const command cmd_surface;
extern const command cmd_validate;
extern const command cmd_verify;
extern const command cmd_version;
extern const command cmd_view;
extern const command cmd_volume;
extern const command cmd_whitewater;

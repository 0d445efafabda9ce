#include "serve/page.h"

#include <string.h>

/* Bytes of a file between two names, by the assembler. RILL_PAGE is the folder web/dist. */
#define EMBED(name, file)                                                                              \
    __asm__(".section .rodata\n.balign 16\n.globl page_" #name "\n.hidden page_" #name "\npage_" #name \
            ":\n.incbin \"" RILL_PAGE "/" file "\"\n.globl page_" #name "_end\n"                       \
            ".hidden page_" #name "_end\npage_" #name "_end:\n.byte 0\n.previous\n");                  \
    extern const uint8_t page_##name[], page_##name##_end[]

EMBED(index, "index.html");
EMBED(app, "app.js");
EMBED(early, "early.js");
EMBED(worker, "worker.js");
EMBED(style, "style.css");
EMBED(notices, "notices.txt");
EMBED(icon, "icon.svg");

static const struct {
    const char *name, *type;
    const uint8_t *data, *end;
} files[] = {
    {"", "text/html; charset=utf-8", page_index, page_index_end},
    {"app.js", "text/javascript; charset=utf-8", page_app, page_app_end},
    {"early.js", "text/javascript; charset=utf-8", page_early, page_early_end},
    {"worker.js", "text/javascript; charset=utf-8", page_worker, page_worker_end},
    {"style.css", "text/css; charset=utf-8", page_style, page_style_end},
    {"notices.txt", "text/plain; charset=utf-8", page_notices, page_notices_end},
    {"icon.svg", "image/svg+xml", page_icon, page_icon_end},
};

bool page_find(const char *name, page_file *out)
{
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        if (strcmp(files[k].name, name) == 0) {
            *out = (page_file){files[k].type, files[k].data, (size_t)(files[k].end - files[k].data)};
            return true;
        }
    return false;
}

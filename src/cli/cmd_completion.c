/* Completion for shells and the manual page, from the tables that parse the command line. */
#include "cli/commands.h"
#include "run/registry.h"

#include <stdio.h>
#include <string.h>

static bool has_value(const option *o)
{
    return o->kind != OPTION_FLAG;
}

static bool is_method(const option *o)
{
    return strcmp(o->name, "--method") == 0;
}

static void print_methods(const char *between)
{
    for (uint32_t i = 0; i < rill_method_count; i++) printf("%s%s", i ? between : "", rill_methods[i]->name);
}

/* ---- bash ---- */

static void bash(void)
{
    printf("# Completion of rill for bash; made by `rill completion bash`.\n"
           "_rill() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options=\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W \"");
    for (const command *const *c = rill_commands; *c; c++) printf("%s ", (*c)->name);
    printf("--help --version\" -- \"$word\"))\n"
           "        return\n"
           "    fi\n"
           "    if [ \"$before\" = --method ]; then\n"
           "        COMPREPLY=($(compgen -W \"");
    print_methods(" ");
    printf("\" -- \"$word\"))\n"
           "        return\n"
           "    fi\n"
           "    case ${COMP_WORDS[1]} in\n");
    for (const command *const *c = rill_commands; *c; c++) {
        printf("    %s) options=\"", (*c)->name);
        for (const option *o = (*c)->options; o && o->kind; o++) printf("%s ", o->name);
        printf("--help\" ;;\n");
    }
    printf("    esac\n"
           "    case $word in\n"
           "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
           "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
           "    esac\n"
           "}\n"
           "complete -o filenames -F _rill rill\n");
}

/* ---- zsh ---- */

/* A description inside single quotes and brackets. */
static void zsh_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            printf("'\\''");
        else {
            if (strchr("[]:\\", *text)) putchar('\\');
            putchar(*text);
        }
    }
}

static void zsh_option(const option *o)
{
    printf("            '%s%s%s[", o->kind == OPTION_TEXTS ? "*" : "", o->name, has_value(o) ? "=" : "");
    zsh_text(o->help);
    printf("]");
    if (is_method(o)) {
        printf(":method:(");
        print_methods(" ");
        printf(")");
    } else if (has_value(o)) {
        printf(":%s:", o->value ? o->value : "value");
        if (o->value && strcmp(o->value, "DIR") == 0) printf("_files -/");
    }
    printf("' \\\n");
}

static void zsh(void)
{
    printf("#compdef rill\n# Completion of rill for zsh; made by `rill completion zsh`.\n_rill() {\n"
           "    local -a commands\n    commands=(\n");
    for (const command *const *c = rill_commands; *c; c++) {
        printf("        '%s:", (*c)->name);
        zsh_text((*c)->help);
        printf("'\n");
    }
    printf(
        "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n    fi\n"
        "    local name=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $name in\n");
    for (const command *const *c = rill_commands; *c; c++) {
        printf("    %s)\n        _arguments \\\n", (*c)->name);
        for (const option *o = (*c)->options; o && o->kind; o++) zsh_option(o);
        printf("            '--help[lists the options]' '*:file:_files' ;;\n");
    }
    printf("    esac\n}\n_rill \"$@\"\n");
}

/* ---- fish ---- */

static void fish_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') putchar('\\');
        putchar(*text);
    }
}

static void fish(void)
{
    printf("# Completion of rill for fish; made by `rill completion fish`.\n");
    for (const command *const *c = rill_commands; *c; c++) {
        printf("complete -c rill -n __fish_use_subcommand -f -a %s -d '", (*c)->name);
        fish_text((*c)->help);
        printf("'\n");
        for (const option *o = (*c)->options; o && o->kind; o++) {
            printf("complete -c rill -n '__fish_seen_subcommand_from %s' -l %s%s -d '", (*c)->name,
                   o->name + 2, has_value(o) ? " -r" : "");
            fish_text(o->help);
            printf("'");
            if (is_method(o)) {
                printf(" -f -a '");
                print_methods(" ");
                printf("'");
            }
            printf("\n");
        }
    }
}

/* ---- the manual page ---- */

/* Text that troff does not take for its own. */
static void man_text(const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '\\')
            printf("\\e");
        else if (*p == '-')
            printf("\\-");
        else if ((*p == '.' || *p == '\'') && p == text)
            printf("\\&%c", *p);
        else
            putchar(*p);
    }
}

static void man_command(const command *c)
{
    printf(".SS rill %s", c->name);
    if (c->options) printf(" [options]");
    printf(" ");
    man_text(c->arguments);
    printf("\n");
    man_text(c->help);
    printf("\n");
    for (const option *o = c->options; o && o->kind; o++) {
        printf(".TP\n.B ");
        man_text(o->name);
        if (has_value(o)) printf(" \\fI%s\\fR", o->value ? o->value : "VALUE");
        printf("\n");
        man_text(o->help);
        printf("\n");
    }
}

static void man(void)
{
    printf(".\\\" Made by `rill completion man` from the tables that parse the command line.\n"
           ".TH RILL 1 \"\" \"rill %s\" \"Rill\"\n.SH NAME\nrill \\- fluid animation: simulates a scene, "
           "makes surfaces, "
           "pictures and figures\n.SH SYNOPSIS\n.B rill\n.I COMMAND\n[\\fIoptions\\fR] "
           "[\\fIarguments\\fR]\n.br\n"
           ".B rill\n.I COMMAND\n.B \\-\\-help\n.SH DESCRIPTION\n"
           "Rill turns the description of a scene, a JSON file, into an animated fluid by one of five "
           "published methods:\n",
           RILL_VERSION);
    print_methods(", ");
    printf(
        ".\nA run leaves a folder with particles, surfaces, statistics, gauges and checkpoints, from which "
        "it can be "
        "resumed.\nThe scene file, the viewer and the methods are described in\n.IR /usr/share/doc/rill .\n"
        ".SH COMMANDS\n");
    for (const command *const *c = rill_commands; *c; c++) man_command(*c);
    printf(".SH EXIT STATUS\n.TP\n.B 0\ndone\n");
    static const rill_status codes[] = {RILL_USAGE,     RILL_BAD_SCENE, RILL_BAD_FILE, RILL_DISK,
                                        RILL_NO_MEMORY, RILL_BLEW_UP,   RILL_CANCELLED};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        printf(".TP\n.B %d\n", (int)codes[i]);
        man_text(rill_status_text(codes[i]));
        printf("\n");
    }
    printf(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colours in the output\n.SH FILES\n.TP\n.I "
           "/usr/share/rill/scenes\n"
           "scenes to start from\n.TP\n.I /usr/share/rill/scene.schema.json\nJSON Schema of scene files\n");
}

static const struct kind {
    const char *name;
    void (*print)(void);
} kinds[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}, {"man", man}, {NULL, NULL}};

static int completion_main(rill_ctx *ctx, const command *self, int argc, char **argv)
{
    int count;
    rill_status st = options_parse(ctx, self, NULL, argc, argv, &count);
    if (st) return cli_report(ctx, st);
    const struct kind *k = kinds;
    while (k->name && strcmp(k->name, argv[0]) != 0) k++;
    if (!k->name) {
        st = rill_fail(ctx, RILL_USAGE, "completion: \"%s\" is not one of bash, zsh, fish, man", argv[0]);
        return cli_report(ctx, st);
    }
    k->print();
    if (fflush(stdout) != 0 || ferror(stdout)) {
        st = rill_fail(ctx, RILL_DISK, "completion: the output could not be written");
        return cli_report(ctx, st);
    }
    return 0;
}

const command cmd_completion = {
    "completion",   "bash|zsh|fish|man", "Prints completion for a shell, or the manual page.", NULL, 1, 1,
    completion_main};

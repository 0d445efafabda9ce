#include "base/cpu.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>

/* A bit of ecx as cpuid gives it. */
static bool ecx_bit(unsigned leaf, int bit)
{
    unsigned a, b, c, d;
    return __get_cpuid(leaf, &a, &b, &c, &d) && (c >> bit & 1);
}

void cpu_features(cpu_feature list[CPU_FEATURES])
{
    memset(list, 0, CPU_FEATURES * sizeof *list);
    __builtin_cpu_init();
    /* The compiler's own check asks also whether the system keeps the wide registers. */
    list[0] = (cpu_feature){"AVX2", __builtin_cpu_supports("avx2") != 0};
    list[1] = (cpu_feature){"FMA", __builtin_cpu_supports("fma") != 0};
    list[2] = (cpu_feature){"F16C", ecx_bit(1, 29)};
    list[3] = (cpu_feature){"BMI1", __builtin_cpu_supports("bmi") != 0};
    list[4] = (cpu_feature){"BMI2", __builtin_cpu_supports("bmi2") != 0};
    list[5] = (cpu_feature){"LZCNT", ecx_bit(0x80000001, 5)};
    list[6] = (cpu_feature){"MOVBE", ecx_bit(1, 22)};
}
#else
void cpu_features(cpu_feature list[CPU_FEATURES])
{
    memset(list, 0, CPU_FEATURES * sizeof *list); /* built for this processor, whatever it is */
}
#endif

bool cpu_suffices(const cpu_feature *list)
{
    for (; list->name; list++)
        if (!list->there) return false;
    return true;
}

void cpu_missing(const cpu_feature *list, char *out, size_t capacity)
{
    size_t used = 0;
    if (capacity) out[0] = 0;
    for (const cpu_feature *f = list; f->name; f++) {
        const size_t n = strlen(f->name), comma = used ? 2 : 0;
        if (f->there || used + comma + n + 1 > capacity) continue;
        memcpy(out + used, ", ", comma);
        memcpy(out + used + comma, f->name, n + 1);
        used += comma + n;
    }
}

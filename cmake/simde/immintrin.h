/* On processors that are not x86-64: the intrinsics Rill uses, by SIMDe (libsimde-dev), under their own names. This folder
 * is on the include path there, before the compiler's own. */
#pragma once

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx2.h>
#include <simde/x86/f16c.h>
#include <simde/x86/fma.h>
#include <stdint.h>

/* Bits of x where the mask has them, packed to the right; SIMDe has none. */
static inline uint32_t rill_pext_u32(uint32_t x, uint32_t mask)
{
    uint32_t out = 0;
    for (int to = 0; mask; mask &= mask - 1) out |= (x >> __builtin_ctz(mask) & 1u) << to++;
    return out;
}
#define _pext_u32(x, mask) rill_pext_u32((x), (mask))

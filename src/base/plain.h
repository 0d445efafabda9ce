/* Numbers look the same whatever locale the host of the library has set.
 *
 * Between the two calls the calling thread prints and reads numbers as the C locale
 * does; other threads are not touched, so that nothing here is global. The C locale is
 * a constant of the C library: taking it neither allocates nor fails. */
#pragma once

#include <locale.h>

static inline locale_t plain_begin(void)
{
    return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

static inline void plain_end(locale_t before)
{
    uselocale(before);
}

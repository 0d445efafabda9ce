/* Divides sites in two along their longest extent until each part may be one particle; see bricks.h.
 *
 * Both parts have as nearly the same number of sites as powers of two allow: of n sites that are not one
 * particle themselves the first part gets a multiple of the largest usable power. */
#include "sph/resample/bricks.h"

/* Along one axis; places of the same, by the others, so that no two are equal. */
static bool before(const place_at *a, const place_at *b, int axis)
{
    for (int k = 0; k < 3; k++, axis = (axis + 1) % 3)
        if (a->at[axis] != b->at[axis]) return a->at[axis] < b->at[axis];
    return false;
}

static void swap(place_at *a, place_at *b)
{
    const place_at c = *a;
    *a = *b;
    *b = c;
}

/* The first k of n are those that come first (Hoare's find, 1961). */
static void divide(place_at *p, size_t n, size_t k, int axis)
{
    int64_t low = 0, high = (int64_t)n - 1;
    while (low < high) {
        const place_at pivot = p[k];
        int64_t i = low, j = high;
        do {
            while (before(&p[i], &pivot, axis)) i++;
            while (before(&pivot, &p[j], axis)) j--;
            if (i <= j) swap(&p[i++], &p[j--]);
        } while (i <= j);
        if (j < (int64_t)k) low = i;
        if ((int64_t)k < i) high = j;
    }
}

static int longest_axis(const place_at *p, size_t n, uint32_t *extent)
{
    int axis = 0;
    *extent = 0;
    for (int a = 2; a >= 0; a--) {
        uint32_t low = p[0].at[a], high = low;
        for (size_t i = 1; i < n; i++) {
            low = p[i].at[a] < low ? p[i].at[a] : low;
            high = p[i].at[a] > high ? p[i].at[a] : high;
        }
        if (high - low + 1 < *extent) continue;
        *extent = high - low + 1;
        axis = a;
    }
    return axis;
}

/* The number of sites in the first of two parts. */
static size_t first_part(size_t n, int most)
{
    size_t unit = 1;
    while (2 * unit < n && unit < (size_t)1 << most) unit *= 2;
    return n >= 2 * unit ? n / 2 / unit * unit : unit;
}

rill_status clusters_lay(place_at *p, size_t count, int most, cluster_may *may, cluster_lay *lay, void *arg)
{
    if (count == 0) return RILL_OK;
    uint32_t extent;
    const int axis = longest_axis(p, count, &extent), l = 63 - __builtin_clzll(count);
    const bool whole = count == (size_t)1 << l && l <= most;
    if (whole && (l == 0 || may(arg, p, l, extent))) return lay(arg, p, l);
    const size_t first = first_part(count, most);
    divide(p, count, first, axis);
    TRY(clusters_lay(p, first, most, may, lay, arg));
    return clusters_lay(p + first, count - first, most, may, lay, arg);
}

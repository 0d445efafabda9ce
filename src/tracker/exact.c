#include "tracker/exact.h"

/* A sum of doubles that holds the exact value: components do not overlap, in increasing size. */
enum { EXACT_TERMS = 200 };
typedef struct {
    double e[EXACT_TERMS];
    int n;
} expansion;

static void add(expansion *s, double b)
{
    int n = 0;
    for (int i = 0; i < s->n; i++) {
        const double a = s->e[i], sum = a + b, bb = sum - a, error = (a - (sum - bb)) + (b - bb);
        b = sum;
        if (error != 0) s->e[n++] = error;
    }
    if (b != 0) s->e[n++] = b;
    s->n = n;
}

static int sign(const expansion *s)
{
    return s->n == 0 ? 0 : s->e[s->n - 1] > 0 ? 1 : -1;
}

/* a - b = d[0] + d[1] exactly. */
static void difference(double a, double b, double d[2])
{
    d[0] = a - b;
    const double bb = a - d[0];
    d[1] = (a - (d[0] + bb)) + (bb - b);
}

static void add_product(expansion *s, double a, double b, double c)
{
    const double h = a * b, l = fma(a, b, -h);
    const double hh = h * c, hl = fma(h, c, -hh), lh = l * c, ll = fma(l, c, -lh);
    add(s, ll);
    add(s, lh);
    add(s, hl);
    add(s, hh);
}

int exact_orient3(rill_vec3 a, rill_vec3 b, rill_vec3 c, rill_vec3 d)
{
    const double p[3][3] = {{a.x - d.x, a.y - d.y, a.z - d.z},
                            {b.x - d.x, b.y - d.y, b.z - d.z},
                            {c.x - d.x, c.y - d.y, c.z - d.z}};
    double det = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        const double x = p[1][u] * p[2][v], y = p[1][v] * p[2][u];
        det += p[0][k] * (x - y);
        size += fabs(p[0][k]) * (fabs(x) + fabs(y));
    }
    const double bound = 16 * 0x1p-53 * size; /* Shewchuk: 7 + 56 epsilon */
    if (det > bound) return 1;
    if (-det > bound) return -1;

    double e[3][3][2];
    const rill_vec3 row[3] = {a, b, c};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) difference(v3_axis(row[i], k), v3_axis(d, k), e[i][k]);
    expansion s = {.n = 0};
    for (int k = 0; k < 3; k++)
        for (int bits = 0; bits < 8; bits++) {
            const int u = (k + 1) % 3, v = (k + 2) % 3, i = bits & 1, j = bits >> 1 & 1, l = bits >> 2;
            add_product(&s, e[0][k][i], e[1][u][j], e[2][v][l]);
            add_product(&s, -e[0][k][i], e[1][v][j], e[2][u][l]);
        }
    return sign(&s);
}

int exact_orient2(rill_vec3 a, rill_vec3 b, rill_vec3 c, int axis)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    double au[2], av[2], bu[2], bv[2];
    difference(v3_axis(a, u), v3_axis(c, u), au);
    difference(v3_axis(a, v), v3_axis(c, v), av);
    difference(v3_axis(b, u), v3_axis(c, u), bu);
    difference(v3_axis(b, v), v3_axis(c, v), bv);
    const double x = au[0] * bv[0], y = av[0] * bu[0], bound = 8 * 0x1p-53 * (fabs(x) + fabs(y));
    if (x - y > bound) return 1;
    if (y - x > bound) return -1;
    expansion s = {.n = 0};
    for (int bits = 0; bits < 4; bits++) {
        const int i = bits & 1, j = bits >> 1;
        add_product(&s, au[i], bv[j], 1);
        add_product(&s, -av[i], bu[j], 1);
    }
    return sign(&s);
}

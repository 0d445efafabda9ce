#include "grid/cut.h"

/* The share of a triangle. */
static double triangle_part(double a, double b, double c)
{
    const int n = (a > 0) + (b > 0) + (c > 0);
    if (n == 0 || n == 3) return n == 3;
    const bool one = n == 1;
    const double p = (a > 0) == one ? a : (b > 0) == one ? b : c; /* the corner that is alone */
    const double q = (a > 0) == one ? b : a, r = (a > 0) == one || (b > 0) == one ? c : b;
    const double cut = p / (p - q) * (p / (p - r));
    return one ? cut : 1 - cut;
}

/* Of a tetrahedron with one corner, p, on its side. */
static double corner_part(double p, double q, double r, double s)
{
    return p / (p - q) * (p / (p - r)) * (p / (p - s));
}

/* Of one with a and b positive: three tetrahedra between them and where the edges are cut. */
static double wedge_part(double a, double b, double c, double d)
{
    const double ac = a / (a - c), ad = a / (a - d), bc = b / (b - c), bd = b / (b - d);
    return ac * ad + bc * ad * (1 - ac) + bc * bd * (1 - ad);
}

static double tetrahedron_part(const double v[4])
{
    double in[4], out[4];
    int n = 0, m = 0;
    for (int k = 0; k < 4; k++)
        if (v[k] > 0)
            in[n++] = v[k];
        else
            out[m++] = v[k];
    switch (n) {
    case 0: return 0;
    case 1: return corner_part(in[0], out[0], out[1], out[2]);
    case 2: return wedge_part(in[0], in[1], out[0], out[1]);
    case 3: return 1 - corner_part(out[0], in[0], in[1], in[2]);
    default: return 1;
    }
}

double cut_part(bool flat, const double corner[8])
{
    int positive = 0;
    for (int k = 0; k < (flat ? 4 : 8); k++) positive += corner[k] > 0;
    if (positive == 0) return 0;
    if (positive == (flat ? 4 : 8)) return 1;
    if (flat)
        return 0.5 * (triangle_part(corner[0], corner[1], corner[3]) +
                      triangle_part(corner[0], corner[2], corner[3]));
    static const int way[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
    double sum = 0;
    for (int k = 0; k < 6; k++) {
        const double v[4] = {corner[0], corner[way[k][0]], corner[way[k][1]], corner[7]};
        sum += tetrahedron_part(v);
    }
    return sum / 6;
}

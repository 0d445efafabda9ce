/* The points of `rill bench delaunay`, read from a file that `rill` need not know: each
 * driver makes them itself, so that all see the same bits. Philox 4x32-10 as in
 * src/base/random.h. */
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct philox4 {
    uint32_t v[4];
};

static inline philox4 philox(uint64_t seed, uint64_t id, uint32_t step, uint32_t stream)
{
    uint32_t c0 = (uint32_t)id, c1 = (uint32_t)(id >> 32), c2 = step, c3 = stream;
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        const uint64_t p0 = 0xD2511F53ull * c0, p1 = 0xCD9E8D57ull * c2;
        const uint32_t n0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0, n2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        c0 = n0;
        c2 = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return philox4{{c0, c1, c2, c3}};
}

static inline double unit(uint32_t high, uint32_t low)
{
    return (double)(((uint64_t)high << 32 | low) >> 11) * 0x1p-53;
}

/* kind: "random", "cubic" or "bcc". x, y, z of each point in the unit cube. */
static inline std::vector<double> make_points(const char *kind, size_t n)
{
    std::vector<double> x(3 * n);
    const size_t per_cell = std::strcmp(kind, "bcc") == 0 ? 2 : 1;
    const size_t side = (size_t)std::ceil(std::cbrt((double)n / (double)per_cell) - 1e-9);
    for (size_t i = 0; i < n; i++) {
        if (std::strcmp(kind, "random") == 0) {
            const philox4 a = philox(1, i, 0, 0), b = philox(1, i, 1, 0);
            x[3 * i] = unit(a.v[0], a.v[1]);
            x[3 * i + 1] = unit(a.v[2], a.v[3]);
            x[3 * i + 2] = unit(b.v[0], b.v[1]);
            continue;
        }
        const size_t c = i / per_cell;
        const double shift = i % per_cell ? 0.5 : 0;
        x[3 * i] = ((double)(c % side) + shift) / (double)side;
        x[3 * i + 1] = ((double)(c / side % side) + shift) / (double)side;
        x[3 * i + 2] = ((double)(c / side / side) + shift) / (double)side;
    }
    return x;
}

static inline double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/* A driver is called as: DRIVER KIND N REPEAT, and prints: name seconds elements. The
 * shortest of the repetitions. body returns how many elements it made. */
template <class Body> static int peer_main(int argc, char **argv, const char *name, Body body)
{
    if (argc != 4) {
        std::fprintf(stderr, "usage: %s random|cubic|bcc N REPEAT\n", argv[0]);
        return 2;
    }
    const size_t n = std::strtoul(argv[2], nullptr, 10);
    const int repeat = std::atoi(argv[3]);
    const std::vector<double> x = make_points(argv[1], n);
    double best = 1e300;
    size_t elements = 0;
    for (int k = 0; k < repeat; k++) {
        const double start = now();
        elements = body(x, n);
        const double seconds = now() - start;
        if (seconds < best) best = seconds;
    }
    std::printf("%s %.6f %zu\n", name, best, elements);
    return 0;
}

/* The average plaquette of a gauge field of SU(3), for the examples. */
#ifndef PLAQUETTE_H
#define PLAQUETTE_H

#include <stddef.h>
#include <stdint.h>

/* Links with the axes t, z, y, x, mu, row, column, re/im. Result: the average of Re tr U / 3 of all plaquettes. */
static inline double plaquette(const double *links, const uint32_t extents[4]) {
    double sum = 0;
    uint32_t at[4], mu, nu, i, j, l;
    for (at[3] = 0; at[3] < extents[3]; ++at[3])
    for (at[2] = 0; at[2] < extents[2]; ++at[2])
    for (at[1] = 0; at[1] < extents[1]; ++at[1])
    for (at[0] = 0; at[0] < extents[0]; ++at[0])
    for (mu = 0; mu < 4; ++mu)
    for (nu = mu + 1; nu < 4; ++nu) {
        /* U_mu(x) U_nu(x + mu), and the other way round: the plaquette is the first times the second, conjugated. */
        double way[2][3][3][2];
        for (l = 0; l < 2; ++l) {
            const uint32_t first = l ? nu : mu, second = l ? mu : nu;
            uint32_t next[4] = {at[0], at[1], at[2], at[3]};
            const double *u, *v;
            next[first] = (next[first] + 1) % extents[first];
#define LINK(x, direction) \
    (links + \
     18 * (4 * ((((size_t)(x)[3] * extents[2] + (x)[2]) * extents[1] + (x)[1]) * extents[0] + (x)[0]) + (direction)))
            u = LINK(at, first), v = LINK(next, second);
#undef LINK
            for (i = 0; i < 9; ++i) {
                double *out = way[l][i / 3][i % 3];
                out[0] = out[1] = 0;
                for (j = 0; j < 3; ++j) {
                    const double *a = u + 2 * (3 * (i / 3) + j), *b = v + 2 * (3 * j + i % 3);
                    out[0] += a[0] * b[0] - a[1] * b[1];
                    out[1] += a[0] * b[1] + a[1] * b[0];
                }
            }
        }
        for (i = 0; i < 18; ++i) sum += (&way[0][0][0][0])[i] * (&way[1][0][0][0])[i] / 3;
    }
    return sum / (6.0 * extents[0] * extents[1] * extents[2] * extents[3]);
}

#endif

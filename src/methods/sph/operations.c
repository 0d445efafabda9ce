#include "sph/operations.h"

#include "sph/resample/resample.h"
#include "sph/uniform/uniform.h"

const sph_operations uniform_operations = {
    .create = uniform_create,
    .destroy = uniform_destroy,
    .fill = uniform_fill,
    .sort = uniform_sort,
    .walls = uniform_walls,
    .density = uniform_density,
    .pressure = uniform_pressure,
    .no_pressure = uniform_no_pressure,
    .forces = uniform_forces,
    .viscosity = uniform_viscosity,
    .move = uniform_move,
    .carry_distances = uniform_carry_distances,
    .sizes = uniform_sizes,
    .prepare = uniform_pairs_prepare,
    .correct = uniform_pairs_correct,
    .accelerate = uniform_pairs_accelerate,
    .divergence = uniform_pairs_divergence,
    .look_ahead = uniform_pairs_look_ahead,
    .squeeze = uniform_pairs_squeeze,
    .shown_pressure = uniform_shown_pressure,
    .solve_arena = uniform_solve_arena,
    .cells = uniform_cells,
    .position_spread = 10,
};

const sph_operations sized_operations = {
    .create = sized_create,
    .destroy = sized_destroy,
    .fill = resample_fill,
    .start = resample_start,
    .columns = sized_columns,
    .save = sized_save,
    .load = sized_load,
    .sort = sized_sort,
    .walls = sized_walls,
    .density = sized_density,
    .pressure = sized_pressure,
    .no_pressure = sized_no_pressure,
    .forces = sized_forces,
    .smooth_velocities = sized_smooth_velocities,
    .move = sized_move,
    .carry_distances = sized_carry_distances,
    .resampling_due = resampling_due,
    .resample = resample,
    .sizes = sized_sizes,
    .prepare = sized_pairs_prepare,
    .correct = sized_pairs_correct,
    .accelerate = sized_pairs_accelerate,
    .divergence = sized_pairs_divergence,
    .look_ahead = sized_pairs_look_ahead,
    .squeeze = sized_pairs_squeeze,
    .shown_pressure = sized_shown_pressure,
    .solve_arena = sized_solve_arena,
    .cells = sized_cells,
    /* Splits and merges compress the particles around them, and cells as wide as the largest kernel do not
     * resolve the waves between (42 iterations with 10, 17 with this). */
    .position_spread = 100,
};

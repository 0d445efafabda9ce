#pragma once

#include "voronoi/voronoi.h"

RILL_CHECKED rill_status brochu_save(const rill_sim *sim, rill_writer *w);
RILL_CHECKED rill_status brochu_load(rill_sim *sim, rill_reader *r);

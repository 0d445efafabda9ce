// What the parts of the page share: the runs, what draws them, and what is chosen.

export const $ = (id) => document.getElementById(id);
export const DRAWN = ['surface', 'particles', 'tracers', 'whitewater', 'volume'];
export const PARTS = [...DRAWN, 'solids'];

export const page = {
  stage: null, store: null, plots: null, player: null,
  runs: [], views: [],
  state: {
    show: new Set(['surface', 'tracers', 'whitewater', 'solids']), // names of parts
    begun: false, // a frame of this run has been shown
    column: '', // '': water
    range: null, // by hand; null: fitted
    fitted: new Map(), // column -> [low, high] of the frames seen
    cut: { axis: -1, share: 0.5, side: 1 },
    lost: false,
  },
};

import type { UnplannedFigures } from './unplanned-board.ts';

/** What the laws alone find, by the fault's name: a table, which `npm run faults` writes. */
export const UNPLANNED_MEASURED: Readonly<Record<string, UnplannedFigures>> = {
  "one-frame-too-many": {
    "law": "ftrace/overruns-are-counted",
    "draws": 481,
    "unit": "sequence"
  },
  "overrun-is-forgotten": {
    "law": "ftrace/probes-fire-exactly-once",
    "draws": 81,
    "unit": "sequence"
  },
  "notrace-of-users-is-the-union": {
    "law": "ftrace/success-means-attached",
    "draws": 681,
    "unit": "sequence"
  }
};

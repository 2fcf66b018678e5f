import { toEnd } from '../../model/core/to-end.ts';
import type { BugFigures } from './measure.ts';
import { measure } from './measure.ts';

/* A process that measures the bugs that its parent names, one after the other. */

/** A bug of the board, and the planted bug that re-enacts it. */
interface AskedRow {
  readonly name: string;
  readonly planted: string;
}

export interface MeasuredRow {
  readonly name: string;
  readonly figures: BugFigures;
}

process.on('message', ({ name, planted }: AskedRow) => {
  process.send?.({ name, figures: toEnd(measure(planted)) } satisfies MeasuredRow);
});

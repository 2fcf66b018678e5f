import type { ProgId } from '../../../model/core/ids.ts';

/** Where links have many functions, tracing programs are few, so that most links find theirs. */
const PROGS = 2;
/** Greater numbers are excluded: they are for kprobe.multi, or extensions. */
const TRACING_MOST = 5;

/** The number of a program among few. */
export function few(prog: ProgId): number {
  return prog <= TRACING_MOST ? 1 + (prog % PROGS) : prog;
}

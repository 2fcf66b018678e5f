import { unreachable } from '../../../model/core/unreachable.ts';
import { DIRECT_CALL_FIXES } from './direct-calls.ts';
import type { HistoricalFix } from './fix.ts';
import { FTRACE_FIXES } from './ftrace-core.ts';
import { IMAGE_FIXES } from './image-code.ts';
import { PROBE_FIXES } from './probes.ts';
import { TRACEPOINT_FIXES } from './tracepoint-fixes.ts';
import { TRAMPOLINE_FIXES } from './trampolines.ts';

/** A historical bug with its name. */
export interface HistoricalBug extends HistoricalFix {
  readonly name: string;
}

/** The historical bugs of what is modelled, or could be: the board. */
export const HISTORICAL_BUGS: readonly HistoricalBug[] = [
  DIRECT_CALL_FIXES,
  FTRACE_FIXES,
  PROBE_FIXES,
  TRACEPOINT_FIXES,
  TRAMPOLINE_FIXES,
  IMAGE_FIXES,
].flatMap((fixes) => Object.entries(fixes).map(([name, fix]) => ({ name, ...fix })));

/** The planted bugs that re-enact a historical one, or a relative of it; the first is measured. */
export function plantedFor({ here }: HistoricalBug): readonly string[] {
  switch (here.is) {
    case 'planted':
    case 'relative':
      return here.bugs;
    case 'known':
    case 'not planted':
    case 'not examined':
    case 'not modelled':
      return [];
    default:
      return unreachable(here);
  }
}

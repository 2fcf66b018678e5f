import { programsOf } from '../../../model/contract/perf-events.ts';
import type { Promises } from '../../../model/contract/promises.ts';
import type { ProgId } from '../../../model/core/ids.ts';

/** Whether an event is open and has no program, and the program is one for events. */
export function takesProgram(
  p: Promises,
  { event, prog }: { readonly event: string; readonly prog: ProgId },
): boolean {
  const isTaken = programsOf(p).some((program) => program.event === event);
  return p.events[event]?.open === true && !isTaken && p.programs[prog]?.probe === 'tp';
}

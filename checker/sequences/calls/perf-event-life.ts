import { programsOf } from '../../../model/contract/perf-events.ts';
import type { Promises } from '../../../model/contract/promises.ts';
import type { ProgId } from '../../../model/core/ids.ts';

/** Whether an event is open and has no program, and the program is one for events. */
export function takesProgram(
  p: Promises,
  { event, prog }: { readonly event: string; readonly prog: ProgId },
): boolean {
  const opened = p.events[event];
  if (opened?.open !== true) return false;
  const isTaken =
    programsOf(p).some((program) => program.event === event) ||
    p.clients.some(({ object, onEvent }) => object === event && onEvent !== undefined && onEvent.prog !== 0);
  return !isTaken && p.programs[prog]?.probe === (opened.tracepoint === undefined ? 'kprobe' : 'tp');
}

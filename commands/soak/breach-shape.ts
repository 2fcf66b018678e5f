import { parseTrace } from '../../counterexamples/images/trace.ts';
import { parseTaskTrace } from '../../counterexamples/interleavings/task-trace.ts';
import { parseAttachTrace } from '../../counterexamples/sequences/attach-trace.ts';
import { lawIn, traceKind } from '../../counterexamples/trace-kind.ts';
import type { Action } from '../../model/client/all.ts';
import { unreachable } from '../../model/core/unreachable.ts';

/** What tells one breach from another, whatever its kernel, its functions and its numbers. */
export interface BreachShape {
  readonly law: string;
  /** The kinds of calls that it takes, in their order, after it was shrunk. */
  readonly calls: string;
}

/** The shape of a breach, from its saved trace. */
export function shapeOf(trace: string): BreachShape {
  return { law: lawIn(trace)!, calls: callsIn(trace) };
}

export function isSameShape(shape: BreachShape, other: BreachShape): boolean {
  return shape.law === other.law && shape.calls === other.calls;
}

function callsIn(trace: string): string {
  const kind = traceKind(trace);
  switch (kind) {
    case 'image':
      return parseTrace(trace)
        .case.programs.map((program) => program.kind)
        .join(', ');
    case 'sequence':
      return namesOf(parseAttachTrace(trace).case.actions);
    case 'interleaving': {
      const { setup, clients, callers } = parseTaskTrace(trace).schedule.scenario;
      const beside = [...clients.map(namesOf), ...callers.map(() => 'call')];
      return `${namesOf(setup)} | ${beside.toSorted().join(' | ')}`;
    }
    case 'history':
      throw new Error('no search breaks a law in a history of two kernels');
    default:
      return unreachable(kind);
  }
}

/** `register_kprobe, call`. */
export function namesOf(actions: readonly Action[]): string {
  return actions
    .map((action) => (action.do === 'fail' ? `fail ${action.fault.where}` : action.do))
    .join(', ');
}

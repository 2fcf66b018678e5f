import type { Happening, TaskLaw } from '../law/interleaving-law.ts';
import { ordersFailure } from '../observed/scenario.ts';

/** I-2b: before each write, text holds what ftrace expects; otherwise it warns and switches itself off. */
export const wellBehavedClientsRaiseNoWarning: TaskLaw = {
  name: 'task/well-behaved-clients-raise-no-warning',
  sentence: 'Whatever operations overlap, ftrace finds text and records as it left them: no WARN, no oops.',
  source: 'kernel/trace/ftrace.c ftrace_bug, FTRACE_WARN_ON; kernel/bpf/trampoline.c',
  witness: 'an operation ended beside another',
  judge: ({ scenario, happening }) => {
    if (happening.is === 'operation over') return scenario.clients.length > 1 ? 'held' : 'no say';
    if (ordersFailure(scenario)) return 'no say';
    // Crashes that a law of their own is about are its business when both are asked: it comes first.
    if (happening.is === 'crash') return { is: 'crashes', unmet: 'nothing crashes', crash: happening.crash };
    if (happening.is !== 'warned' || isOwnFault(happening)) return 'no say';
    return { is: 'warns', warnings: happening.warnings };
  },
};

/** Whether a client takes back an ops whose registration was refused, and is told so. */
function isOwnFault({
  warnings,
  action,
  before = [],
}: Extract<Happening, { readonly is: 'warned' }>): boolean {
  if (action?.do !== 'unregister_ftrace_function' || warnings.some(({ is }) => is !== 'ops not enabled'))
    return false;
  const registration = before.findLast(
    ({ action: done }) => done.do === 'register_ftrace_function' && done.ops === action.ops,
  );
  return registration !== undefined && registration.answer !== 0;
}

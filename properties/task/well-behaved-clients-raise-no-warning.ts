import type { Warning } from '../../model/core/warning.ts';
import type { Happening, TaskLaw } from '../law/interleaving-law.ts';
import type { Scenario } from '../observed/scenario.ts';
import { ordersFailure } from '../observed/scenario.ts';
import { isShared } from '../observed/shared-objects.ts';

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
    if (happening.is !== 'warned' || isOwnFault(scenario, happening)) return 'no say';
    return { is: 'warns', warnings: happening.warnings };
  },
};

/**
 * Whether a client takes back an ops whose registration was refused, and is told so; or registers what another client has
 * registered, or takes off what another has taken off.
 */
function isOwnFault(scenario: Scenario, happening: Warned): boolean {
  const { warnings, action, before = [] } = happening;
  if (action === undefined) return false;
  const client = scenario.clients.findIndex((script) => script.includes(action));
  if (warnings.every(({ is }) => OF_A_SECOND_TIME.includes(is)) && isShared(scenario, client, action))
    return true;
  if (action.do !== 'unregister_ftrace_function' || warnings.some(({ is }) => is !== 'ops not enabled'))
    return false;
  const registration = before.findLast(
    ({ action: done }) => done.do === 'register_ftrace_function' && done.ops === action.ops,
  );
  return registration !== undefined && registration.answer !== 0;
}

type Warned = Extract<Happening, { readonly is: 'warned' }>;

/** What the kernel says to who registers an object that is registered, or takes one off that is not. */
const OF_A_SECOND_TIME: readonly Warning['is'][] = [
  'graph ops registered again',
  'kprobe registered again',
  'enabled ops registered',
  'ops not enabled',
  'enabled subops started',
  'subops not enabled',
  'probe there already',
  'no probes',
];

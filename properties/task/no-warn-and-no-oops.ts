import type { Action } from '../../model/client/all.ts';
import { callOf } from '../../model/client/all.ts';
import type { Warning } from '../../model/core/warning.ts';
import type { Happening, TaskLaw } from '../law/interleaving-law.ts';
import { followsFromDeath, mayHaveCaused, mayHaveWarned } from '../observed/fault-effects.ts';
import type { Scenario } from '../observed/scenario.ts';
import { orderedFaults } from '../observed/scenario.ts';
import { haveOneObject, isShared } from '../observed/shared-objects.ts';
import { isExcludedByALaw } from './laws-on-crashes.ts';

/** I-2b: before each write, text holds what ftrace expects; otherwise ftrace warns and disables itself. */
export const noWarnAndNoOops: TaskLaw = {
  name: 'task/no-warn-and-no-oops',
  sentence:
    'No overlap of operations triggers a WARN or an oops: ftrace always finds the text and records that it expects.',
  source: 'kernel/trace/ftrace.c ftrace_bug, FTRACE_WARN_ON; kernel/bpf/trampoline.c',
  witness: 'an operation that overlaps another',
  judge: (judged) => {
    const { scenario, happening, kernel } = judged;
    if (happening.is === 'operation over') return scenario.clients.length > 1 ? 'held' : 'not applicable';
    const faults = orderedFaults(scenario);
    // Clients stay attached to a dead ftrace, whatever becomes of their memory.
    if (happening.is === 'crash' && kernel.ftrace.disabled && mayHaveCaused('ftraceDies', faults))
      return 'not applicable';
    // Also where that law is not checked: a search for one law has the same breaches as a search for all of them.
    if (isExcludedByALaw(judged)) return 'not applicable';
    if (happening.is === 'crash') return { is: 'crashes', unmet: 'nothing crashes', crash: happening.crash };
    if (happening.is !== 'warned' || isOwnFault(scenario, happening)) return 'not applicable';
    const warnings = happening.warnings.filter(
      (warning) => !mayHaveWarned(warning, faults) && !followsFromDeath(warning, kernel),
    );
    return warnings.length === 0 ? 'not applicable' : { is: 'warns', warnings };
  },
};

/**
 * Whether a client registers a registered object or unregisters an unregistered one, by its own calls or because
 * another client uses the same object.
 */
function isOwnFault(scenario: Scenario, happening: Warned): boolean {
  const { warnings, action, before = [] } = happening;
  if (action === undefined || !warnings.every(({ is }) => OF_A_SECOND_TIME.includes(is))) return false;
  const client = scenario.clients.findIndex((script) => script.includes(action));
  if (isShared(scenario, client, action)) return true;
  const accepted = before.flatMap((done) => (done.answer === 0 ? [done.action] : []));
  const last = [...scenario.setup, ...accepted].findLast(
    (other) => ofMembership(other) && haveOneObject(other, action),
  );
  return (
    ofMembership(action) && (last === undefined ? 'detaches' : callOf(last).role) === callOf(action).role
  );
}

/** The action registers or unregisters something. */
function ofMembership(action: Action): boolean {
  return callOf(action).role !== 'something else';
}

type Warned = Extract<Happening, { readonly is: 'warned' }>;

/** The kernel's warnings for a double registration or unregistration. */
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

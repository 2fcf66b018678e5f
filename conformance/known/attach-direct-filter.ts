import type { Ip } from '../../model/core/ids.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import type { Led } from './cause.ts';
import { stepsOf } from './cause.ts';

/*
 * An ops that has a filter of its own before update_ftrace_direct_add(), of 7.2: that takes an ops with a filter for
 * registered.
 */

const TAKEN_FOR_REGISTERED = {
  sentence:
    'update_ftrace_direct_add() takes an ops that has a filter from ftrace_set_filter_ip() for registered: it returns 0, enters the functions in direct_functions, and no site calls their trampolines.',
  evidence:
    'shown on 7.2.13 (0, and the entry of f1 stays a nop); kernel/trace/ftrace.c of 7.2.13  update_ftrace_direct_add: the ops is registered where its filter is empty',
  kernels: ['7.2'],
  restsOn: ['directApi'],
} as const;

const ADDED = 'ftrace_set_filter_ip(direct#1, f1); update_ftrace_direct_add(direct#1, { f1: my_tramp1 })';
const CALLED = `${ADDED}; task#1 calls f1(0x5100000071000000)`;

/** Direct calls that were added to an ops which is not on the list. */
export const KNOWN_OF_DIRECT_FILTERS: readonly KnownAttach[] = [
  known({
    ...TAKEN_FOR_REGISTERED,
    name: 'filter-is-taken-for-registration',
    law: 'ftrace/direct-functions-match-direct-ops',
    finding: 'direct-entry-differs',
    when: ({ ip, owner, observed }, breach) =>
      owner === null && observed !== null && isAddedInVain(breach, ip),
    example: ADDED,
  }),
  known({
    ...TAKEN_FOR_REGISTERED,
    name: 'filter-is-taken-for-registration-seen-by-success-means-attached',
    law: 'ftrace/success-means-attached',
    finding: 'client-is-not-served',
    when: ({ ip }, breach) => isAddedInVain(breach, ip),
    example: ADDED,
  }),
  known({
    ...TAKEN_FOR_REGISTERED,
    name: 'filter-is-taken-for-registration-seen-by-direct-trampoline-runs-exactly-once',
    law: 'ftrace/direct-trampoline-runs-exactly-once',
    finding: 'direct-call-differs',
    when: ({ who, observed }, breach) => observed.length === 0 && addedInVain(breach).includes(who),
    example: CALLED,
  }),
  known({
    ...TAKEN_FOR_REGISTERED,
    name: 'filter-is-taken-for-registration-seen-by-probes-fire-exactly-once',
    law: 'ftrace/probes-fire-exactly-once',
    finding: 'hits-differ',
    when: ({ fn, kind, observed }, breach) =>
      kind === 'direct' && observed === 0 && isAddedInVain(breach, fn),
    example: CALLED,
  }),
];

/** The tables that were added to an ops that was not registered, and is not registered by that. */
function tablesInVain(breach: Led): Readonly<Record<Ip, string>>[] {
  return stepsOf(breach).flatMap(({ action, outcome, after }) =>
    action.do === 'update_ftrace_direct_add' &&
    outcome.errno === 0 &&
    !after.ftrace.opsList.includes(action.ops)
      ? [action.hash]
      : [],
  );
}

function isAddedInVain(breach: Led, ip: Ip): boolean {
  return tablesInVain(breach).some((table) => Object.hasOwn(table, ip));
}

/** The trampolines in these tables. */
function addedInVain(breach: Led): string[] {
  return tablesInVain(breach).flatMap((table) => Object.values(table));
}

import type { AttachBreach } from '../../../checker/sequences/played.ts';
import type { FunctionName } from '../../../model/core/ids.ts';
import type { MultiTrampolines } from '../../../model/trampoline/designs/multi-trampoline.ts';
import type { KnownAttach } from '../attach.ts';
import { known } from '../attach.ts';
import { hasFailed } from '../cause.ts';

/*
 * Breaches of the proposal of July 2025 alone, on 7.2, where one ops serves all rows.
 */

const FREED_ROW = {
  sentence:
    'The last program of a row is detached without memory for the change of ftrace: the row and its image are freed, and its functions still call it.',
  evidence:
    'modelled as bpf_trampoline_put() of 6.1.192 and 6.12.117, which frees a trampoline whatever unlinking answered',
  kernels: ['7.2'],
  multiLinks: 'program sets',
  example:
    'prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); the next allocation in update_ftrace_direct_del fails; close(link#1)',
} as const;

/** A link lacked memory when it left, and a function's direct call calls an image that no trampoline has any more. */
function isOfAFreedRow(breach: AttachBreach, fn: FunctionName): boolean {
  const { bpf, ftrace } = breach.moment.after;
  const rows = Object.values((bpf.design as MultiTrampolines).byName);
  return (
    hasFailed(breach, ['close(link)', 'BPF_LINK_CREATE'], 'allocation') &&
    ftrace.directFunctions[fn] !== undefined &&
    !rows.some(({ ids }) => ids.includes(fn)) &&
    (bpf.trampolines[fn]?.curImage ?? '') === ''
  );
}

export const KNOWN_PROGRAM_SETS: readonly KnownAttach[] = [
  known({
    ...FREED_ROW,
    name: 'row-that-failed-to-detach-is-freed',
    law: 'ftrace/call-sites-match-ops',
    finding: 'site-differs',
    when: ({ ip, expected, observed }, breach) =>
      expected.is === 'an unrequested direct call' && observed.is === 'call' && isOfAFreedRow(breach, ip),
  }),
  known({
    ...FREED_ROW,
    name: 'row-that-failed-to-detach-is-freed-seen-by-direct-functions-match-direct-ops',
    law: 'ftrace/direct-functions-match-direct-ops',
    finding: 'direct-entry-differs',
    when: ({ ip, expected, observed }, breach) =>
      expected === null && observed !== null && isOfAFreedRow(breach, ip),
  }),
];

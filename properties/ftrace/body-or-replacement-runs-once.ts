import type { ToldRun } from '../finding/call-finding.ts';
import { isSame } from '../finding/same.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { seenCall } from '../observed/seen-call.ts';

/** I-16. A bypassed live patch is a security bug. */
export const bodyOrReplacementRunsOnce: AttachLaw = {
  name: 'ftrace/body-or-replacement-runs-once',
  sentence:
    "A call runs the body exactly once, or instead the live patch's replacement or the extension; nothing if a program stopped it.",
  source:
    'kernel/trace/ftrace.c  __ftrace_hash_update_ipmodify; kernel/bpf/trampoline.c  bpf_tramp_ftrace_ops_func',
  witness: 'a call replaced, extended, stopped, or made through an image or a direct call',
  judge: (moment) => {
    const seen = seenCall(moment);
    if (seen === undefined) return 'not applicable';
    const expected = seen.calls.flatMap(({ runs, fn }): ToldRun[] => {
      if (runs === 'nothing') return [];
      return [runs === 'replacement' ? { is: runs } : { is: runs, of: fn }];
    });
    const observed = seen.events.flatMap(({ event: { kind, who, fn } }): ToldRun[] => {
      if (kind === 'extension') return [{ is: kind, of: fn }];
      if (kind === 'body') return [{ is: kind, of: who }];
      return kind === 'replacement' ? [{ is: kind }] : [];
    });
    if (!isSame(expected, observed)) return { is: 'runs-differ', fn: seen.expected.fn, expected, observed };
    const around = ({ clients, runs }: (typeof seen.calls)[number]) =>
      runs !== 'body' || clients.some(({ kind }) => kind === 'direct' || kind === 'program');
    return seen.calls.some(around) ? 'held' : 'not applicable';
  },
};

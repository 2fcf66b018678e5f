import type { AttachLaw } from '../law/sequence-law.ts';
import { seenCall } from '../observed/seen-call.ts';

/** I-16. A live patch that is bypassed is a security bug. */
export const whatWasPromisedIsWhatRuns: AttachLaw = {
  name: 'ftrace/what-was-promised-is-what-runs',
  sentence:
    'A call runs the body once, or in its place the replacement of the live patch or the extension; nothing if a program stopped it.',
  source:
    'kernel/trace/ftrace.c  __ftrace_hash_update_ipmodify; kernel/bpf/trampoline.c  bpf_tramp_ftrace_ops_func',
  witness: 'a call was replaced, extended, stopped, or made through an image or a direct call',
  judge: (moment) => {
    const seen = seenCall(moment);
    if (seen === undefined) return 'no say';
    const expected = seen.calls.flatMap((call) => {
      if (call.runs === 'nothing') return [];
      if (call.runs === 'extension') return [`the extension of ${call.fn}`];
      return [call.runs === 'body' ? `the body of ${call.fn}` : 'the replacement'];
    });
    const observed = seen.events.flatMap(({ event: { kind, who, fn } }) => {
      if (kind === 'extension') return [`the extension of ${fn}`];
      if (kind === 'body') return [`the body of ${who}`];
      return kind === 'replacement' ? ['the replacement'] : [];
    });
    const wanted = list(expected);
    const ran = list(observed);
    if (wanted !== ran)
      return { expected: `a call of ${seen.expected.fn} runs ${wanted}`, observed: `it runs ${ran}` };
    const around = ({ clients, runs }: (typeof seen.calls)[number]) =>
      runs !== 'body' || clients.some(({ kind }) => kind === 'direct' || kind === 'program');
    return seen.calls.some(around) ? 'held' : 'no say';
  },
};

function list(what: readonly string[]): string {
  return what.join(', ') || 'nothing';
}

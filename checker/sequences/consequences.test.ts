import { expect, test } from 'vitest';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { parseSequence } from '../../counterexamples/sequences/attach-trace.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { tracedCallsReturn } from '../../properties/ftrace/traced-calls-return.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import { runSequence } from './run-sequence.ts';

/** A trampoline is freed with its ops on the list, as listed, which every later law shows in its own way. */
const FREED = `kernel   6.12

f1 = function(u64 -> u64)

prog#1 = BPF_PROG_LOAD(fentry, f1)
link#1 = BPF_LINK_CREATE(prog#1)
the next allocation in bpf_trampoline_update fails
close(link#1)
task#1 calls f1(0x1)
task#1 calls f1(0x2)
`;

/** Breaks at every call. */
const breaks: AttachLaw = {
  ...tracedCallsReturn,
  judge: ({ action }) =>
    action.do === 'call' ? { is: 'call-does-not-return', fn: 'f1', why: { is: 'lost return' } } : 'held',
};

/** Cannot be judged at any. */
const throws: AttachLaw = {
  ...tracedCallsReturn,
  judge: ({ action }) => {
    if (action.do === 'call') throw new TypeError('no ops');
    return 'held';
  },
};

test.each([breaks, throws])('after a known breach of another law a law alone finds nothing new', (law) => {
  const { case: c } = parseSequence(FREED);
  const question = { laws: [law], known: KNOWN_ATTACH };
  expect(runSequence(c, question).newBreach?.law).toBe(law);
  const { newBreach, known } = runSequence(c, { ...question, others: ATTACH_LAWS });
  expect(newBreach).toBeUndefined();
  expect(known?.law).not.toBe(law.name);
  expect(KNOWN_ATTACH).toContain(known);
});

test('where no other law is broken, it is new', () => {
  const { case: c } = parseSequence(
    FREED.replace('the next allocation in bpf_trampoline_update fails\n', ''),
  );
  const { newBreach } = runSequence(c, { laws: [breaks], known: KNOWN_ATTACH, others: ATTACH_LAWS });
  expect(newBreach?.law).toBe(breaks);
});

import { expect, test } from 'vitest';
import { parseSequence } from '../../counterexamples/sequences/attach-trace.ts';
import { bootKernel } from '../../model/kernel.ts';
import { refusalsHaveTheirErrno } from '../../properties/ftrace/refusals-have-their-errno.ts';
import { sayable } from '../history/cast-history.ts';
import { OP } from '../wire/numbers.ts';
import { operationMoment } from './moments.ts';
import { observeHistory } from './transcript.ts';

/** A history in which an allocation is to fail, and what a kernel answers to its lines. */
const HISTORY = `kernel   6.12

f1 = function(u64 -> u64)
the next allocation in register_kretprobe fails
register_kretprobe(kretprobe#1, f1, maxactive=1)
register_kprobe(kprobe#1, f1)
`;

function observed(answers: Readonly<Record<string, string>>) {
  const { question } = sayable(parseSequence(HISTORY).case);
  const ask = (lines: readonly string[]) =>
    lines.map((line) => {
      const verb = Object.keys(answers).find((start) => line.startsWith(start));
      return verb === undefined ? '{"r":0}' : answers[verb]!;
    });
  const { steps } = observeHistory({ ask }, question!);
  const declared = bootKernel({ profile: '6.12', boot: 'default', functions: question!.case.functions });
  const judgements = steps.map((step) => refusalsHaveTheirErrno.judge(operationMoment(declared, step)));
  return { steps, judgements };
}

const KRETPROBE = `x ${OP.KRETPROBE} `;

test('a failure belongs to the call in which it has happened, and to all that come after it', () => {
  const { steps, judgements } = observed({ [KRETPROBE]: '{"r":-12,"failed":1}' });
  const fault = { what: 'allocation', where: 'register_kretprobe' };
  expect(steps.map(({ failed }) => failed?.where)).toEqual([undefined, fault.where, undefined]);
  expect(steps.map(({ faults }) => faults.length)).toEqual([0, 1, 1]);
  expect(steps[2]?.faults[0]).toMatchObject(fault);
  expect(judgements[1]).toBe('held');
});

test('ENOMEM is of no other call', () => {
  const { judgements } = observed({ [KRETPROBE]: '{"r":-12}' });
  expect(judgements[1]).toMatchObject({ is: 'errno-differs', observed: 'ENOMEM' });
});

test('a history ends where the kernel has no call of the kind that is to fail', () => {
  expect(observed({ 'i ': '{"r":-2}' }).steps).toEqual([]);
});

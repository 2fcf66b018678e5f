import { expect, test } from 'vitest';
import { parseSequence } from '../../counterexamples/sequences/attach-trace.ts';
import { nothingPromised } from '../../model/contract/promises.ts';
import { bootKernel } from '../../model/kernel.ts';
import { promised } from '../../model/promised.ts';
import { fromNumber, ZERO } from '../../model/x86/word.ts';
import { probesFireExactlyOnce } from '../../properties/ftrace/probes-fire-exactly-once.ts';
import { expectedCall } from '../../properties/observed/expectation.ts';
import { readCall } from '../history/answer.ts';
import { callMoment } from './moments.ts';

const { case: c } = parseSequence(
  'kernel   6.12\n\nrec = function(u64 -> u64)\nregister_kretprobe(kretprobe#1, rec, maxactive=1)\n',
);
const declared = bootKernel({ ...c, boot: 'default' });
const promises = c.actions.reduce(
  (p, action) => promised(p, action, { errno: 0, warnings: [] }),
  nothingPromised(c.profile, c.functions),
);
/** It calls itself once. */
const call = {
  do: 'call',
  fn: 'rec',
  registers: [fromNumber(1), ZERO, ZERO, ZERO, ZERO, ZERO],
  stack: [],
} as const;
const { returns, calls } = expectedCall(declared, promises, call);

/** The judgement on a call of which one return was seen, and a counter that has grown or not. */
function judged(counter: string) {
  const exit = `{"w":10,"f":1,"o":1,"r":"${returns}"}`;
  const line = `{"rax":"${returns}","lost":0,"ev":[${exit}${counter}]}`;
  const answer = readCall(line, new Map([['rec', 1]]), new Map());
  return {
    answer,
    judgement: probesFireExactlyOnce.judge(callMoment(declared, { promises, faults: [] }, call, answer)),
  };
}

test('a return that is not seen is no breach where its probe has counted it', () => {
  expect(calls).toHaveLength(1);
  const { answer, judgement } = judged(',{"w":14,"f":-1,"o":1,"d":"0x1"}');
  expect(answer.misses).toEqual({ 'kretprobe#1': 1 });
  expect(answer.events).toHaveLength(1);
  expect(judgement).toBe('held');
});

test('and one where it has not', () => {
  expect(judged('').judgement).toMatchObject({ is: 'hits-differ', expected: 2, observed: 1 });
});

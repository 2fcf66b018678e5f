import { describe, expect, test } from 'vitest';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import { searchToEnd } from '../../checker/sequences/search.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { Kernel } from '../../model/kernel.ts';
import { bootKernel } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { someOf, THOROUGH } from '../../test/thorough.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { callOf } from '../observed/sample-call.ts';
import { graph, kretprobe } from '../planted/sequences/actions.ts';
import { callsLeaveNothingBehind } from './calls-leave-nothing-behind.ts';
import { overrunsAreCounted } from './overruns-are-counted.ts';
import { probesFireExactlyOnce } from './probes-fire-exactly-once.ts';
import { replacedReturnAddressesAreRecoverable } from './replaced-return-addresses-are-recoverable.ts';
import { returnHooksRunInReverseOrder } from './return-hooks-run-in-reverse-order.ts';

const REC = tracedFunction('rec', 1, 'u64 -> u64');
/** Kernels with two frames: the third of three nested calls is not followed. */
const TWO_FRAMES = ['6.1, retfuncDepth = 2', '6.12, shadowStackWords = 36', '7.2, shadowStackWords = 32'];
const LAWS = [
  probesFireExactlyOnce,
  callsLeaveNothingBehind,
  overrunsAreCounted,
  replacedReturnAddressesAreRecoverable,
  returnHooksRunInReverseOrder,
];

/** A law that is met when a shadow stack was full, and never breaks. */
const overran: AttachLaw = {
  name: 'overran',
  sentence: '',
  source: '',
  witness: '',
  judge: ({ before, after }) => (after.fgraph.overrun > before.fgraph.overrun ? 'held' : 'not applicable'),
};

describe.each(TWO_FRAMES)('%s', (profile) => {
  test('the innermost of three nested calls runs untraced, and is counted', () => {
    const actions = [graph(1), callOf(REC, 2)];
    const { outcomes, breach, witnesses } = runSequence(
      { profile, functions: [REC], actions },
      { laws: [...LAWS, overran] },
    );
    expect(outcomes[1]!.call!.events.map(({ kind }) => kind)).toEqual([
      ...['graph entry', 'body', 'graph entry', 'body', 'body'],
      ...['graph exit', 'graph exit'],
    ]);
    expect(breach).toBeUndefined();
    expect(witnesses).toContain(overran);
  });

  test('a kretprobe of the same function still sees all three', () => {
    const actions = [kretprobe(1, 'rec'), graph(1), callOf(REC, 2)];
    const { outcomes, breach } = runSequence({ profile, functions: [REC], actions }, { laws: LAWS });
    const kinds = outcomes[2]!.call!.events.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'kretprobe')).toHaveLength(3);
    expect(kinds.filter((kind) => kind === 'graph exit')).toHaveLength(2);
    expect(breach).toBeUndefined();
  });

  test.runIf(someOf(TWO_FRAMES, 3).includes(profile))(
    'random sequences fill the stack, and break no law',
    () => {
      const laws = [...LAWS.filter((law) => law !== probesFireExactlyOnce), overran];
      const { found, witnesses } = searchToEnd({
        profile,
        seed: 1,
        sequences: THOROUGH ? 300 : 100,
        laws,
        known: KNOWN_ATTACH,
      });
      expect(found?.breach.finding).toBeUndefined();
      expect(witnesses.get('overran')).toBeGreaterThan(THOROUGH ? 3 : 0);
    },
  );
});

test('a call that function graph is entered for without need may be counted', () => {
  const [cb, f1] = [tracedFunction('cb', 1, 'u64 x2 -> u64'), tracedFunction('f1', 2, 'u64 -> u64')];
  const keptOut = { do: 'ftrace_set_notrace', ops: 'gops#1.ops', ip: 'f1', reset: false } as const;
  const run = (profile: string) =>
    runSequence(
      { profile, functions: [cb, f1], actions: [graph(1), keptOut, callOf(cb, 0)] },
      { laws: [overrunsAreCounted, overran] },
    );
  const [stale, exact] = [run('6.12, shadowStackWords = 34'), run('7.2, shadowStackWords = 28')];
  expect([stale.breach, exact.breach]).toEqual([undefined, undefined]);
  expect([stale, exact].map(({ witnesses }) => witnesses.has(overran))).toEqual([true, false]);
});

/** A kernel whose task is this many followed calls deep already. */
function deep(profile: string, frames: number): Kernel {
  const k = bootKernel({ profile, boot: 'default', functions: [REC] });
  apply(k, graph(1));
  const { fgraph, fgraphFrameWords } = profileNamed(profile);
  const words = fgraph === 'single' ? 0 : fgraphFrameWords + 1;
  for (let i = 0; i < frames; i++)
    k.fgraph.retStack.push({ ret: '0x1', func: 'rec', retp: '0x8', bitmap: 1, below: i * words, data: {} });
  k.fgraph.used = frames * words;
  return k;
}

describe.each([
  ['6.1', 50],
  ['6.12', 81],
  ['7.2', 122],
])('a shadow stack of %s', (profile, most) => {
  test(`takes ${most} frames, and counts the calls beyond them`, () => {
    const k = deep(profile, most - 2);
    const { call } = apply(k, callOf(REC, 3));
    expect(call!.events.filter(({ kind }) => kind === 'graph entry')).toHaveLength(2);
    expect(call!.events.filter(({ kind }) => kind === 'graph exit')).toHaveLength(2);
    expect(call!.events.filter(({ kind }) => kind === 'body')).toHaveLength(4);
    expect(k.fgraph.overrun).toBe(2);
    expect(k.fgraph.retStack).toHaveLength(most - 2);
  });
});

import { describe, expect, test } from 'vitest';
import type { Action } from '../../model/action.ts';
import type { CallEvent } from '../../model/core/event.ts';
import { RUN_ENDS } from '../../model/ftrace/entry/entry-code.ts';
import { CALLER_FRAME_BYTES, STACK, STACK_BYTES } from '../../model/machine-room.ts';
import { linkKernel } from '../../model/step.ts';
import { plus, toHex } from '../../model/x86/word.ts';
import type { AttachLaw, Moment } from '../attach/moment.ts';
import { Player, runSequence } from '../attach/run-sequence.ts';
import { searchSequences } from '../attach/search.ts';
import { PLANTED_CALLS } from '../planted/attach-calls.ts';
import { CALL_F1, F1, fprobe, kretprobe } from '../planted/call-sequences.ts';
import { exitsFollowAcceptedEntries } from './exits-follow-accepted-entries.ts';
import { replacedReturnsAreKnown } from './replaced-returns-are-known.ts';
import { returnsComeBackInReverseOrder } from './returns-come-back-in-reverse-order.ts';

const sequence = (actions: readonly Action[], profile = '6.12') => ({ profile, functions: [F1], actions });

describe('a planted bug is caught by its law', () => {
  test.each(PLANTED_CALLS.map((planted) => [planted.name, planted] as const))('%s', (_, planted) => {
    const { law, profile, edits, smallest } = planted;
    const healthy = runSequence(sequence(smallest, profile), { laws: [law] });
    expect(healthy.breach).toBeUndefined();
    expect([...healthy.witnesses]).toEqual([law]);
    const broken = runSequence(sequence(smallest, profile), { laws: [law], program: linkKernel(edits) });
    expect(broken.breach?.at).toBe(smallest.length - 1);
    const { expected, observed } = broken.breach!.finding;
    expect(`${expected} / ${observed}`).toBe(FINDINGS[planted.name]);
  });

  /** A live patch that comes before an entry program and an exit program is too rare for a short search. */
  const searched = PLANTED_CALLS.filter(({ name }) => name !== 'modify-does-not-ask-for-ipmodify');

  test.each(searched.map((planted) => [planted.name, planted] as const))(
    'and found: %s',
    (_, planted) => {
      const { law, profile, edits, smallest } = planted;
      const search = searchSequences({
        profile,
        seed: 1,
        sequences: 3000,
        laws: [law],
        program: linkKernel(edits),
      });
      let next = search.next(false);
      while (next.done !== true) next = search.next(false);
      expect(next.value.found?.case.actions.length).toBe(smallest.length);
    },
    60_000,
  );
});

const FINDINGS: Readonly<Record<string, string>> = {
  'site-keeps-its-trampoline': 'f1 returns to its caller / fetch of 1 byte at page 0: unmapped, at f1+0x4',
  'rbx-is-not-restored': 'the callee-saved registers are as before / rbx changed',
  'return-value-is-not-loaded': 'f1 returns 0xab0080c01098d981 / its caller gets 0x0',
  'first-argument-from-rsi': 'prog#1 sees f1(0x5100000071000000) / it sees f1(0x0)',
  'original-return-is-not-stored': 'prog#1 sees f1 return 0xab0080c01098d981 / it sees 0x5a5a5a5a5a5a5a5a',
  'cookie-is-forgotten': 'prog#1 on f1 has the cookie 0xc0100 / it gets 0x0',
  'modify-does-not-ask-for-ipmodify': 'a call of f1 runs the replacement / it runs the body of f1',
  'modify-without-the-temporary-ops': 'my_tramp2 runs once and returns to f1+0x9 / it does not run',
  'image-is-not-left': 'nobody is in tramp#1 / its reference count is 1',
  'sites-stay-when-tracing-goes-off': 'nobody sees a call of f1 / kretprobe#1 does',
  'exit-program-in-the-entry-list':
    'at a call of f1, f1 (body) comes before prog#1 (exit) / prog#1 (exit) comes first',
  'ops-at-the-end-of-the-list':
    'fprobe#2, newer than fprobe#1, sees a call of f1 before it / fprobe#1 (fprobe entry) sees it first',
  'no-active-retprobes':
    'fprobe#1, with 2 nodes for 1 calls, sees 1 returns and counts 0 misses / it sees 0 and counts 1',
};

/** The moment of a sequence's last action. */
function lastMoment({ profile, functions, actions }: ReturnType<typeof sequence>): Moment {
  let last: Moment | undefined;
  const keep: AttachLaw = {
    name: 'keep',
    sentence: '',
    source: '',
    witness: '',
    judge: (moment) => {
      last = moment;
      return 'no say';
    },
  };
  const player = new Player({ profile, functions }, { laws: [keep] });
  for (const action of actions) player.play(action);
  return last!;
}

/** The same call with its events changed. */
function doctored(moment: Moment, events: (own: readonly CallEvent[]) => readonly CallEvent[]): Moment {
  const call = moment.outcome.call!;
  return { ...moment, outcome: { ...moment.outcome, call: { ...call, events: events(call.events) } } };
}

const TWO_RETURNS = [fprobe('fprobe#1', true, true), kretprobe('kretprobe#1', 1), CALL_F1];

describe('returns come back in reverse order', () => {
  test.each(['6.12', '7.2'])('of kretprobes and fprobes, on %s', (profile) => {
    const { breach, witnesses } = runSequence(sequence(TWO_RETURNS, profile), {
      laws: [returnsComeBackInReverseOrder],
    });
    expect(breach).toBeUndefined();
    expect(witnesses.size).toBe(1);
  });

  test('and are a breach in the order of the entries', () => {
    const moment = lastMoment(sequence(TWO_RETURNS));
    const swapped = doctored(moment, (own) => [...own.slice(0, -2), own.at(-1)!, own.at(-2)!]);
    expect(returnsComeBackInReverseOrder.judge(swapped)).toEqual({
      expected: 'fprobe#1 is told of the return from f1 before kretprobe#1',
      observed: 'kretprobe#1 (kretprobe) is told first',
    });
  });
});

describe('exits follow accepted entries', () => {
  const GRAPH: readonly Action[] = [{ do: 'register_ftrace_graph', gops: 'gops#1' }, CALL_F1];

  test('of a user of function graph', () => {
    const { breach, witnesses } = runSequence(sequence(GRAPH), { laws: [exitsFollowAcceptedEntries] });
    expect(breach).toBeUndefined();
    expect(witnesses.size).toBe(1);
  });

  test('and one without is a breach', () => {
    const moment = lastMoment(sequence(GRAPH));
    const unasked = doctored(moment, (own) => own.filter(({ kind }) => kind !== 'graph entry'));
    expect(exitsFollowAcceptedEntries.judge(unasked)).toEqual({
      expected: 'gops#1 is told of no return from f1 that it did not follow',
      observed: 'graph exit without an entry',
    });
  });
});

describe('replaced returns are known', () => {
  test('through two owners of one slot', () => {
    const { breach, witnesses } = runSequence(sequence(TWO_RETURNS, '7.2'), {
      laws: [replacedReturnsAreKnown],
    });
    expect(breach).toBeUndefined();
    expect(witnesses.size).toBe(1);
  });

  test('and a node that nobody comes back to is a breach', () => {
    const moment = lastMoment(sequence(TWO_RETURNS));
    const { before } = moment;
    const slot = CALLERS_SLOT;
    const stale = { rethook: 'kretprobe#1', fn: 'f1', retAddr: '0x1234', frame: slot };
    const probes = { ...before.probes, hooked: [stale] };
    expect(replacedReturnsAreKnown.judge({ ...moment, before: { ...before, probes } })).toEqual({
      expected: `the return address at ${slot} is that of everybody who replaced it`,
      observed: `it leads to ${toHex(RUN_ENDS)}, and 1 wait for it in vain`,
    });
  });
});

/** Where the caller's `call` puts its return address. */
const CALLERS_SLOT = toHex(plus(STACK, STACK_BYTES - CALLER_FRAME_BYTES - 8));

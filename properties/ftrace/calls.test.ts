import { describe, expect, test } from 'vitest';
import { runSequence, SequencePlayer } from '../../checker/sequences/run-sequence.ts';
import { CALLER_FRAME_BYTES, STACK, STACK_BYTES } from '../../model/call/machine-room.ts';
import type { Action } from '../../model/client/all.ts';
import type { CallEvent } from '../../model/core/event.ts';
import { RUN_ENDS } from '../../model/ftrace/entry/entry-code.ts';
import { plus, toHex } from '../../model/x86/word.ts';
import type { AttachLaw, Moment } from '../law/sequence-law.ts';
import { CALL_F1, F1, fprobe, graph, kretprobe } from '../planted/sequences/actions.ts';
import { exitsMatchAcceptedEntries } from './exits-match-accepted-entries.ts';
import { replacedReturnAddressesAreRecoverable } from './replaced-return-addresses-are-recoverable.ts';
import { returnHooksRunInReverseOrder } from './return-hooks-run-in-reverse-order.ts';

const sequence = (actions: readonly Action[], profile = '6.12') => ({ profile, functions: [F1], actions });

/** The state after a sequence's last action. */
function lastMoment({ profile, functions, actions }: ReturnType<typeof sequence>): Moment {
  let last: Moment | undefined;
  const keep: AttachLaw = {
    name: 'keep',
    sentence: '',
    source: '',
    witness: '',
    judge: (moment) => {
      last = moment;
      return 'not applicable';
    },
  };
  const player = new SequencePlayer({ profile, functions }, { laws: [keep] });
  for (const action of actions) player.play(action);
  return last!;
}

/** The same call with its events changed. */
function doctored(moment: Moment, events: (own: readonly CallEvent[]) => readonly CallEvent[]): Moment {
  const call = moment.outcome.call!;
  return { ...moment, outcome: { ...moment.outcome, call: { ...call, events: events(call.events) } } };
}

const TWO_RETURNS = [fprobe(1, true, true), kretprobe(1, 'f1', true), CALL_F1];

describe('returns are hooked in reverse order', () => {
  test.each(['6.12', '7.2'])('of kretprobes and fprobes, on %s', (profile) => {
    const { breach, witnesses } = runSequence(sequence(TWO_RETURNS, profile), {
      laws: [returnHooksRunInReverseOrder],
    });
    expect(breach).toBeUndefined();
    expect(witnesses.size).toBe(1);
  });

  test('the order of the entries is a breach', () => {
    const moment = lastMoment(sequence(TWO_RETURNS));
    const swapped = doctored(moment, (own) => [...own.slice(0, -2), own.at(-1)!, own.at(-2)!]);
    expect(returnHooksRunInReverseOrder.judge(swapped)).toEqual({
      is: 'returns-change-places',
      fn: 'f1',
      first: 'fprobe#1',
      kind: 'kretprobe',
      second: 'kretprobe#1',
    });
  });
});

describe('exits follow accepted entries', () => {
  const GRAPH = [graph(1), CALL_F1];

  test('of a user of function graph', () => {
    const { breach, witnesses } = runSequence(sequence(GRAPH), { laws: [exitsMatchAcceptedEntries] });
    expect(breach).toBeUndefined();
    expect(witnesses.size).toBe(1);
  });

  test('an exit without one is a breach', () => {
    const moment = lastMoment(sequence(GRAPH));
    const unasked = doctored(moment, (own) => own.filter(({ kind }) => kind !== 'graph entry'));
    expect(exitsMatchAcceptedEntries.judge(unasked)).toEqual({
      is: 'exit-without-entry',
      who: 'gops#1',
      fn: 'f1',
      kind: 'graph exit',
    });
  });
});

describe('replaced return addresses are recoverable', () => {
  test('with two owners of one slot', () => {
    const { breach, witnesses } = runSequence(sequence(TWO_RETURNS, '7.2'), {
      laws: [replacedReturnAddressesAreRecoverable],
    });
    expect(breach).toBeUndefined();
    expect(witnesses.size).toBe(1);
  });

  test('a node that no return uses is a breach', () => {
    const moment = lastMoment(sequence(TWO_RETURNS));
    const { before } = moment;
    const slot = CALLERS_SLOT;
    const stale = { rethook: 'kretprobe#1', fn: 'f1', retAddr: '0x1234', frame: slot };
    const probes = { ...before.probes, hooked: [stale] };
    expect(replacedReturnAddressesAreRecoverable.judge({ ...moment, before: { ...before, probes } })).toEqual(
      {
        is: 'return-address-is-lost',
        slot,
        leadsTo: toHex(RUN_ENDS),
        waiting: 1,
      },
    );
  });
});

/** Where the caller's `call` puts its return address. */
const CALLERS_SLOT = toHex(plus(STACK, STACK_BYTES - CALLER_FRAME_BYTES - 8));

import { expect, test } from 'vitest';
import { cleanInt } from '../../model/trampoline/designs/global/global-caller.ts';
import { helpersCalled } from '../../model/trampoline/designs/global/helpers-called.ts';
import { inlined } from '../../model/trampoline/designs/global/inlined.ts';
import { hashLookup } from '../../model/trampoline/designs/global/lookup.ts';
import { runGlobalCode } from './global-code.ts';
import { HIT_KINDS, hitCost } from './hit.ts';

const SHAPE = { lookup: hashLookup, answer: cleanInt };

const KINDS = [
  ['fentry-multi', 'fentry'],
  ['fexit-multi', 'fexit'],
  ['fmodret-multi', 'fmod_ret'],
] as const;

test.each(KINDS)('%s executes alone what it executes in a kernel', (name, kind) => {
  const hit = hitCost('6.12, multiLinks = global', HIT_KINDS.find((hitKind) => hitKind.name === name)!)!;
  const alone = runGlobalCode({ ...SHAPE, around: helpersCalled }, { nrArgs: 1, kind });
  const { instructions, strayReturns, cFunctions } = hit;
  expect(alone).toEqual({ instructions, strayReturns, cFunctions });
});

test.each(KINDS)('%s inlined keeps the program counted and enters what the helpers enter', (_, kind) => {
  const { cFunctions, strayReturns } = runGlobalCode({ ...SHAPE, around: inlined }, { nrArgs: 1, kind });
  expect(cFunctions['__rcu_read_lock']).toBe(cFunctions['__rcu_read_unlock']);
  expect(cFunctions).toMatchObject({ migrate_disable: 1, migrate_enable: 1 });
  expect(strayReturns).toBe(kind === 'fentry' ? 0 : 1);
});

test('a caller for programs that sleep calls their helpers, and the original once', () => {
  const shape = { ...SHAPE, around: inlined, sleepable: true, origin: true };
  const { cFunctions } = runGlobalCode(shape, { nrArgs: 2, kind: 'fexit', sleepable: true });
  expect(cFunctions).toMatchObject({
    __bpf_prog_enter_sleepable_recur: 1,
    __bpf_prog_exit_sleepable_recur: 1,
  });
});

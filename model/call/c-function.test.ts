import { expect, test } from 'vitest';
import {
  FUNCTIONS,
  HOOKS,
  patch,
  requestOf,
  withCode,
  withHooks,
  words,
  worldOf,
} from '../testing/call-rig.ts';
import type { CFunction } from '../text/cpu.ts';
import { addressOf } from '../text/space.ts';
import type { TextWorld } from '../text/text.ts';
import type { Assembler } from '../x86/assemble.ts';
import { R11, RAX, RCX, RSP } from '../x86/register.ts';
import { createRig, SINK } from '../x86/rig.ts';
import { fromBigInt, plus } from '../x86/word.ts';
import { BadAddress, cpuOf } from './c-function.ts';
import { runCall } from './call.ts';
import type { CallRun } from './call-frame.ts';

/** A call of f2, whose site jumps to an image that calls a function in C. */
function calling(panic: CFunction<TextWorld>, then: (a: Assembler) => void = () => {}): CallRun {
  const k = worldOf('6.12');
  withCode(k, 'tramp#1', (a) => {
    a.call('panic');
    then(a);
    a.ret();
  });
  withCode(k, 'tramp#2', (a) => a.call('do_task_dead'));
  patch(k, 'f2', 'tramp#1', 'e9');
  return runCall(
    k,
    FUNCTIONS,
    requestOf('f2', words(2)),
    withHooks({ ...HOOKS, panic, do_task_dead: () => {} }),
  );
}

test.each([
  ['rax', RAX, '0xbadc0de0badc0de0'],
  ['rcx', RCX, '0xbadc0de0badc0de1'],
  ['r11', R11, '0xbadc0de0badc0deb'],
])('a function in C that has no result leaves nothing of its caller in %s', (_, reg, left) => {
  const run = calling(
    () => {},
    (a) => a.mov(RAX, reg),
  );
  expect(run).toMatchObject({ stackBalanced: true, fault: undefined, rax: left });
});

test('a function in C does not continue when code that it calls ends the task', () => {
  let continues = false;
  const run = calling((k, cpu) => {
    cpu.callCode(addressOf(k, 'tramp#2'), plus(cpu.register(RSP), -64));
    continues = true;
  });
  expect([run.gone, run.fault, continues]).toEqual([true, undefined, false]);
});

test('memory that is only written is not read', () => {
  const cpu = cpuOf(createRig(new Uint8Array()), []);
  const address = fromBigInt(SINK);
  cpu.write(address, address);
  expect(() => cpu.read(address)).toThrow(new BadAddress('read', address, 'not readable'));
});

import { describe, expect, test } from 'vitest';
import { crashText } from '../core/crash-words.ts';
import { PT_REGS } from '../ftrace/entry/frame.ts';
import type { Hooks } from '../testing/call-rig.ts';
import {
  FUNCTIONS,
  HOOKS,
  hex,
  patch,
  requestOf,
  returnOf,
  setHandler,
  withHooks,
  words,
  worldOf,
} from '../testing/call-rig.ts';
import type { Cpu } from '../text/cpu.ts';
import { addressOf } from '../text/space.ts';
import type { TextWorld } from '../text/text.ts';
import { RAX, RCX, RDI } from '../x86/register.ts';
import type { Word } from '../x86/word.ts';
import { fromHex, plus, toHex, ZERO } from '../x86/word.ts';
import { runCall } from './call.ts';
import type { CallRun } from './call-frame.ts';
import { codePlace } from './code-place.ts';
import { CALLER_FRAME_BYTES, STACK, STACK_BYTES } from './machine-room.ts';

type Hook = 'return_to_handler' | 'arch_rethook_trampoline';

const WELL = { calleeSaved: [], stackBalanced: true, callerStackIntact: true, fault: undefined };
const LIST = 'arch_ftrace_ops_list_func';

/** Actions of return handlers besides choosing where the call continues; `frame` is their struct pt_regs. */
type OnReturn = (k: TextWorld, cpu: Cpu, frame: Word) => void;

/**
 * Functions in C that hijack the return of each call with the given hooks, one after the other, and give each return
 * address back where it belongs: a shadow stack.
 */
function hijacking(hooks: readonly Hook[], onReturn: OnReturn): Hooks {
  const shadow: Word[] = [];
  const handle =
    (who: Hook) =>
    (k: TextWorld, cpu: Cpu): void => {
      const frame = cpu.register(RDI);
      const ret = toHex(cpu.read(plus(frame, PT_REGS.RAX)));
      const returnsTo = codePlace(k, shadow.at(-1)!);
      cpu.events.push({ kind: 'graph exit', who, fn: '', ret, returnsTo });
      onReturn(k, cpu, frame);
      cpu.setRegister(RAX, shadow.pop()!);
    };
  return {
    ...HOOKS,
    [LIST]: (k, { register, read, write }) => {
      const slot = read(plus(register(RCX), PT_REGS.RSP));
      for (const hook of hooks) {
        shadow.push(read(slot));
        write(slot, addressOf(k, hook));
      }
    },
    ftrace_return_to_handler: handle('return_to_handler'),
    arch_rethook_trampoline_callback: handle('arch_rethook_trampoline'),
  };
}

function call(fn: string, hooks: readonly Hook[], onReturn: OnReturn = () => {}): CallRun {
  const k = worldOf('6.12');
  setHandler(k, LIST);
  patch(k, fn, 'ftrace_regs_caller');
  const inKernel = withHooks(hijacking(hooks, onReturn));
  return runCall(k, FUNCTIONS, requestOf(fn, fn === 'rec' ? [2n] : words(3)), inKernel);
}

const said = ({ events }: CallRun) =>
  events.map(({ who, returnsTo }) => (returnsTo === undefined ? who : `${who} → ${returnsTo}`));

describe.each(['return_to_handler', 'arch_rethook_trampoline'] as const)('%s', (hook) => {
  test('sees the return value and goes back to the caller with it', () => {
    const run = call('f2', [hook]);
    expect(run).toMatchObject({ ...WELL, rax: hex(returnOf('f2', words(2))) });
    expect(run.events[1]!.ret).toBe(run.rax);
    expect(said(run)).toEqual(['f2', `${hook} → caller+0x5`]);
  });

  test('keeps both halves of a structure that is returned in two registers', () => {
    const run = call('rs16', [hook]);
    expect(run).toMatchObject({ ...WELL, rdx: hex(BigInt.asUintN(64, ~BigInt(run.rax))) });
  });

  test('can change the return value in its frame', () => {
    const change: OnReturn = (_, { write }, frame) => write(plus(frame, PT_REGS.RAX), fromHex('0x77'));
    expect(call('f2', [hook], change)).toMatchObject({ ...WELL, rax: '0x77' });
  });

  test('takes place once for each call of a function that calls itself, the innermost first', () => {
    const run = call('rec', [hook]);
    expect(run).toMatchObject({ ...WELL, rax: hex(returnOf('rec', [2n])) });
    const inner = said(run)[3]!.split(' → ')[1];
    expect(inner).toMatch(/^rec\+0x/);
    expect(said(run)).toEqual([
      'rec',
      'rec',
      'rec',
      ...[inner, inner, 'caller+0x5'].map((to) => `${hook} → ${to}`),
    ]);
  });

  test('tells its handler the stack pointer after the return', () => {
    let above = '';
    call('f2', [hook], (_, { read }, frame) => {
      above = toHex(read(plus(frame, PT_REGS.RSP)));
    });
    expect(above).toBe(toHex(plus(STACK, STACK_BYTES - CALLER_FRAME_BYTES)));
  });
});

test('a rethook gets the flags, the other registers and a mark instead of a return address', () => {
  const seen: string[] = [];
  call('f2', ['arch_rethook_trampoline'], (k, { read }, frame) => {
    for (const field of ['CS', 'SS', 'ORIG_RAX'] as const)
      seen.push(toHex(read(plus(frame, PT_REGS[field]))));
    seen.push(codePlace(k, read(plus(frame, PT_REGS.RIP))));
    seen.push(codePlace(k, read(plus(frame, PT_REGS.SS + 16))));
  });
  const trampoline = 'arch_rethook_trampoline';
  expect(seen).toEqual(['0x10', '0x18', '0xffffffffffffffff', trampoline, trampoline]);
});

test('a rethook may change registers and flags in its frame', () => {
  const seen: string[] = [];
  const run = call(
    'f2',
    ['arch_rethook_trampoline', 'arch_rethook_trampoline'],
    (_, { read, write }, frame) => {
      seen.push(toHex(read(plus(frame, PT_REGS.EFLAGS))));
      write(plus(frame, PT_REGS.EFLAGS), fromHex('0x883'));
      write(plus(frame, PT_REGS.RBP), ZERO);
      write(plus(frame, PT_REGS.R15), ZERO);
    },
  );
  expect(run).toMatchObject({ ...WELL, calleeSaved: ['rbp', 'r15'] });
  expect(seen[1]).toBe('0xa83');
});

test('two hijacks of one return are undone in the reverse order', () => {
  const [graph, rethook] = ['return_to_handler', 'arch_rethook_trampoline'] as const;
  for (const [first, second] of [
    [graph, rethook],
    [rethook, graph],
  ] as const) {
    const run = call('f2', [first, second]);
    expect(run).toMatchObject({ ...WELL, rax: hex(returnOf('f2', words(2))) });
    expect(said(run)).toEqual(['f2', `${second} → ${first}`, `${first} → caller+0x5`]);
  }
});

test('a handler that does not know the return address sends the call astray', () => {
  const k = worldOf('6.12');
  setHandler(k, LIST);
  patch(k, 'f2', 'ftrace_caller');
  const astray: Hooks = {
    ...hijacking(['return_to_handler'], () => {}),
    ftrace_return_to_handler: (_, { setRegister }) => setRegister(RAX, ZERO),
  };
  const run = runCall(k, FUNCTIONS, requestOf('f2', words(2)), withHooks(astray));
  expect(crashText(run.fault!)).toMatch(
    /^fetch of 1 byte at 0x0: unmapped, at return_to_handler\+0x[0-9a-f]+$/,
  );
});

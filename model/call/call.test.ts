import { describe, expect, it, test } from 'vitest';
import { crashText } from '../core/crash-words.ts';
import {
  FUNCTIONS,
  functionNamed,
  HOOKS,
  hashOf,
  hex,
  narrowed,
  patch,
  requestOf,
  returnOf,
  withCode,
  withHooks,
  words,
  worldOf,
} from '../testing/call-rig.ts';
import type { Cpu } from '../text/cpu.ts';
import type { TextWorld } from '../text/text.ts';
import { freePage } from '../text/text.ts';
import { abiSlots } from '../trampoline/signature.ts';
import type { Assembler } from '../x86/assemble.ts';
import { RAX, RBX, RCX, RDX, RSP } from '../x86/register.ts';
import { fromHex } from '../x86/word.ts';
import { runCall } from './call.ts';
import type { CallRun } from './call-frame.ts';

function call(k: TextWorld, fn: string, values: readonly bigint[] = words(14), hooks = HOOKS): CallRun {
  return runCall(k, FUNCTIONS, requestOf(fn, values), withHooks(hooks));
}

const WELL = { calleeSaved: [], stackBalanced: true, callerStackIntact: true, fault: undefined };

describe.each(['6.1', '6.12', '7.2'] as const)('an unpatched function, %s', (kernel) => {
  it.each(FUNCTIONS.map(({ name }) => name))(
    '%s notes its narrowed arguments and returns their hash',
    (name) => {
      const fn = functionNamed(name);
      const values = name === 'rec' ? [3n] : words(abiSlots(fn.signature).length);
      const run = call(worldOf(kernel), name, values);
      expect(run).toMatchObject({ ...WELL, rax: hex(returnOf(name, values)) });
      expect(run.events[0]).toEqual({
        kind: 'body',
        who: name,
        fn: name,
        args: narrowed(fn.signature, values).map(hex),
        ret: hex(hashOf(fn, values)),
      });
    },
  );
});

test('a structure of two words is returned in rax and rdx', () => {
  const { rax, rdx } = call(worldOf('6.12'), 'rs16');
  expect(BigInt(rdx)).toBe(BigInt.asUintN(64, ~BigInt(rax)));
});

test('functions that are called by a body note their arguments after it, innermost last', () => {
  const who = (fn: string, values: readonly bigint[]) =>
    call(worldOf('6.12'), fn, values).events.map((event) => event.who);
  expect(who('ca', words(3))).toEqual(['ca', 'cb', 'f1', 'f2']);
  expect(who('rec', [2n])).toEqual(['rec', 'rec', 'rec']);
  expect(who('rec', [7n])).toHaveLength(8);
  expect(who('rec', [8n])).toHaveLength(1);
});

/** A call of f2 whose site calls code of the test, on a page. */
function through(opcode: 'e8' | 'e9', write: (a: Assembler) => void): CallRun {
  const k = worldOf('6.12');
  withCode(k, 'tramp#1', write);
  patch(k, 'f2', 'tramp#1', opcode);
  return call(k, 'f2');
}

describe('what the caller finds afterwards', () => {
  test('a register that a callee must give back and does not is named', () => {
    const run = through('e8', (a) => {
      a.zero(RBX);
      a.ret();
    });
    expect(run).toMatchObject({ ...WELL, calleeSaved: ['rbx'], rax: hex(returnOf('f2', words(2))) });
  });

  test('a word that is left on the stack is seen', () => {
    const run = through('e9', (a) => {
      a.load(RCX, RSP, 0);
      a.push(RCX);
      a.ret();
    });
    expect(run).toMatchObject({ ...WELL, stackBalanced: false });
  });

  test('a word of its frame that was overwritten is seen', () => {
    const run = through('e9', (a) => {
      a.store(RSP, 8, RAX);
      a.ret();
    });
    expect(run).toMatchObject({ ...WELL, callerStackIntact: false });
  });

  test('a word that was never written is recognisable', () => {
    const run = through('e9', (a) => {
      a.sub(RSP, 8);
      a.pop(RAX);
      a.ret();
    });
    expect(run).toMatchObject({ ...WELL, rax: '0x5a5a5a5a5a5a5a5a' });
  });
});

describe('a call that does not return says why and where', () => {
  test('a fetch from a page that was never allocated', () => {
    const k = worldOf('6.12');
    withCode(k, 'tramp#1', (a) => a.ret());
    patch(k, 'f2', 'tramp#1');
    freePage(k, 'tramp#1');
    expect(crashText(call(k, 'f2').fault!)).toBe('fetch of 1 byte at page 0: unmapped, at f2+0x4');
  });

  test('a return to a page that was freed while the function that it called was running', () => {
    const k = worldOf('6.12');
    withCode(k, 'tramp#1', (a) => {
      a.call('f2+0x9');
      a.ret();
    });
    patch(k, 'f2', 'tramp#1', 'e9');
    expect(call(k, 'f2')).toMatchObject({ ...WELL, rax: hex(returnOf('f2', words(2))) });
    const free = (state: TextWorld) => freePage(state, 'tramp#1');
    expect(crashText(call(k, 'f2', words(2), { ...HOOKS, body_hook: free }).fault!)).toMatch(
      /^fetch of 1 byte at page 0\+0x5: unmapped, at f2\+0x[0-9a-f]+$/,
    );
    expect(k.text.pages).toEqual({});
  });

  test('a call site whose first byte is a breakpoint', () => {
    const k = worldOf('6.1');
    k.text.sites.f2 = 'cc1f440000';
    expect(crashText(call(k, 'f2').fault!)).toBe('breakpoint trap at f2');
  });

  test('execution that runs on after the code of a page', () => {
    expect(crashText(through('e8', (a) => a.zero(RAX)).fault!)).toBe('breakpoint trap at tramp#1+0x2');
  });

  test('a loop', () => {
    const run = through('e8', (a) => {
      a.label('again');
      a.jump('again');
    });
    expect(crashText(run.fault!)).toBe('does not end within 200000 instructions, at tramp#1');
    expect(run.instructions).toBe(200_000);
  });

  test('a stack that overflows', () => {
    expect(crashText(through('e8', (a) => a.call('f2')).fault!)).toMatch(
      /^write of 8 bytes at 0xffffc900000f\w+: unmapped, at /,
    );
  });

  test('bytes with which no instruction begins', () => {
    expect(crashText(through('e8', (a) => a.bytes([0x06])).fault!)).toBe('invalid opcode at tramp#1');
  });

  test('a function in C that is given a bad pointer', () => {
    const read = { ...HOOKS, body_hook: (_: TextWorld, { read }: Cpu) => void read(fromHex('0x10')) };
    expect(crashText(call(worldOf('6.12'), 'f2', words(2), read).fault!)).toBe(
      'read at 0x10: unmapped, in body_hook',
    );
  });
});

describe('what is not modelled is an exception', () => {
  test('a function in C that nothing implements', () => {
    const run = () => through('e8', (a) => a.call('__bpf_prog_enter_recur'));
    expect(run).toThrow('__bpf_prog_enter_recur() has been called, and nothing says what it does');
  });

  test('an instruction that the machine does not know, with its place in the state', () => {
    const run = () => through('e8', (a) => a.bytes([0x0f, 0xae, 0xf0]));
    expect(run).toThrow('unsupported instruction 0f ae f0 (mfence) at tramp#1');
  });
});

describe('programs', () => {
  const program = (number: number) => {
    const k = worldOf('6.12');
    withCode(k, 'tramp#1', (a) => {
      a.call(`prog#${number}`);
      a.ret();
    });
    patch(k, 'f2', 'tramp#1', 'e9');
    return k;
  };

  test('one without a name is reported by its number', () => {
    const hooks = {
      ...HOOKS,
      program: (_: TextWorld, cpu: Cpu, number: number) => cpu.setRegister(RAX, { hi: 0, lo: number }),
    };
    expect(call(program(300), 'f2', words(2), hooks).rax).toBe('0x12c');
    expect(() => call(program(1), 'f2')).toThrow('program() has been called');
  });

  test('one that is given under its name is called under it', () => {
    const hooks = { ...HOOKS, 'prog#7': (_: TextWorld, cpu: Cpu) => cpu.setRegister(RAX, cpu.register(RDX)) };
    expect(call(program(7), 'f2', words(2), hooks)).toMatchObject(WELL);
  });
});

import { describe, expect, it, test } from 'vitest';
import { FRAME_BYTES, KERNEL_CS, PT_REGS } from '../ftrace/entry/frame.ts';
import type { Hooks } from '../testing/call-rig.ts';
import {
  FUNCTIONS,
  HOOKS,
  hex,
  patch,
  requestOf,
  returnOf,
  setHandler,
  withCode,
  withHooks,
  words,
  worldOf,
} from '../testing/call-rig.ts';
import type { Cpu } from '../text/cpu.ts';
import { addressOf } from '../text/space.ts';
import type { TextWorld } from '../text/text.ts';
import { siteAddress } from '../text/text.ts';
import { R8, R9, RAX, RCX, RDI, RDX, RSI } from '../x86/register.ts';
import type { Word } from '../x86/word.ts';
import { fromHex, plus, toHex, ZERO } from '../x86/word.ts';
import { runCall } from './call.ts';
import type { CallRun } from './call-frame.ts';
import { codePlace } from './code-place.ts';

const KERNELS = ['6.1', '6.12', '7.2'] as const;
const ENTRIES = ['ftrace_caller', 'ftrace_regs_caller'] as const;
const VALUES = words(6);
const WELL = { calleeSaved: [], stackBalanced: true, callerStackIntact: true, fault: undefined };
const LIST = 'arch_ftrace_ops_list_func';

/** What a handler does with its frame. */
type Handler = (k: TextWorld, cpu: Cpu, frame: (field: keyof typeof PT_REGS) => Word) => void;

/** A call of f6 through ftrace's entry code, or of another function, with this handler. */
function traced(k: TextWorld, entry: string, handler: Handler, fn = 'f6', values = VALUES): CallRun {
  setHandler(k, LIST);
  patch(k, fn, entry);
  const hooks: Hooks = {
    ...HOOKS,
    [LIST]: (state, cpu) => handler(state, cpu, (field) => cpu.read(plus(cpu.register(RCX), PT_REGS[field]))),
    direct_hook: (state, { register, read, events }) => {
      const args = [0, 1].map((i) => toHex(read(plus(register(RSI), 8 * i))));
      const returnsTo = codePlace(state, register(RDX));
      events.push({ kind: 'direct', who: `my_tramp${register(RDI).lo}`, fn, args, returnsTo });
    },
  };
  return runCall(k, FUNCTIONS, requestOf(fn, values), withHooks(hooks));
}

/** Writes a word of the handler's frame. */
function write({ register, write: writeWord }: Cpu, field: keyof typeof PT_REGS, value: Word): void {
  writeWord(plus(register(RCX), PT_REGS[field]), value);
}

describe.each(KERNELS)('%s', (kernel) => {
  describe.each(ENTRIES)('%s', (entry) => {
    test('a handler that does nothing is not noticed by the function or its caller', () => {
      const plain = runCall(worldOf(kernel), FUNCTIONS, requestOf('f6', VALUES), withHooks(HOOKS));
      const run = traced(worldOf(kernel), entry, () => {});
      expect(run).toMatchObject({ ...WELL, rax: hex(returnOf('f6', VALUES)) });
      expect(run.events).toEqual(plain.events);
    });

    test('the handler gets the call site, the parent, no ops, and the arguments in a frame', () => {
      const k = worldOf(kernel);
      const seen: string[] = [];
      traced(k, entry, (state, cpu, frame) => {
        seen.push(codePlace(state, cpu.register(RDI)), codePlace(state, cpu.register(RSI)));
        seen.push(toHex(cpu.register(RDX)), codePlace(state, frame('RIP')), toHex(frame('ORIG_RAX')));
        for (const field of ['RDI', 'RSI', 'RDX', 'RCX', 'R8', 'R9'] as const) seen.push(toHex(frame(field)));
        seen.push(codePlace(state, cpu.read(frame('RSP'))));
      });
      const site = codePlace(k, siteAddress(k, 'f6'));
      const behind = codePlace(k, plus(siteAddress(k, 'f6'), 5));
      expect(seen).toEqual([site, 'caller+0x5', '0x0', behind, '0x0', ...VALUES.map(hex), 'caller+0x5']);
    });

    test('a handler that writes RIP makes the call continue elsewhere', () => {
      const run = traced(worldOf(kernel), entry, (k, cpu) => write(cpu, 'RIP', addressOf(k, 'replacement')));
      expect(run).toMatchObject({ ...WELL, rax: '0xaaaa000055550000' });
      expect(run.events.map(({ kind }) => kind)).toEqual(['replacement']);
    });

    test('a handler that writes an argument is obeyed', () => {
      const run = traced(worldOf(kernel), entry, (_, cpu) => write(cpu, 'RSI', ZERO));
      expect(run).toMatchObject({ ...WELL, rax: hex(returnOf('f6', VALUES.with(1, 0n))) });
    });
  });

  test('only the frame of ftrace_regs_caller says that it holds all registers', () => {
    const cs = ENTRIES.map((entry) => {
      let seen = ZERO;
      traced(worldOf(kernel), entry, (_, __, frame) => {
        seen = frame('CS');
      });
      return seen.lo;
    });
    expect(cs).toEqual([0, KERNEL_CS]);
  });

  test('a direct call runs the trampoline and then the body', () => {
    const k = worldOf(kernel);
    const run = traced(k, 'ftrace_regs_caller', (state, cpu) => {
      write(cpu, 'ORIG_RAX', addressOf(state, 'my_tramp1'));
    });
    expect(run).toMatchObject({ ...WELL, rax: hex(returnOf('f6', VALUES)) });
    expect(run.events.map(({ who, returnsTo }) => [who, returnsTo])).toEqual([
      ['my_tramp1', kernel === '6.1' ? 'f6+0x5' : 'f6+0x9'],
      ['f6', undefined],
    ]);
    expect(run.events[0]!.args).toEqual(VALUES.slice(0, 2).map(hex));
  });

  test('a direct call and a redirection go together: the trampoline returns to the replacement', () => {
    const run = traced(worldOf(kernel), 'ftrace_regs_caller', (k, cpu) => {
      write(cpu, 'ORIG_RAX', addressOf(k, 'my_tramp2'));
      write(cpu, 'RIP', addressOf(k, 'replacement'));
    });
    expect(run).toMatchObject({ ...WELL, rax: '0xaaaa000055550000' });
    expect(run.events.map(({ who, returnsTo }) => [who, returnsTo])).toEqual([
      ['my_tramp2', 'replacement'],
      ['replacement', undefined],
    ]);
  });

  test('a direct call from the site itself', () => {
    const run = traced(worldOf(kernel), 'my_tramp3', () => {}, 'ca', words(3));
    expect(run).toMatchObject({ ...WELL, rax: hex(returnOf('ca', words(3))) });
    expect(run.events.map(({ who }) => who)).toEqual(['my_tramp3', 'ca', 'cb', 'f1', 'f2']);
  });
});

describe('a direct trampoline that is jumped to', () => {
  const jump: Handler = (k, cpu) => write(cpu, 'ORIG_RAX', plus(addressOf(k, 'my_tramp1'), 1));

  test('returns to the caller of the function', () => {
    const run = traced(worldOf('7.2'), 'ftrace_regs_caller', jump);
    expect(run).toMatchObject({ ...WELL, rax: '0x0' });
    expect(run.events).toHaveLength(1);
    expect(run.events[0]).toMatchObject({ who: 'my_tramp1', returnsTo: 'caller+0x5' });
  });

  test('takes the place of a redirection too', () => {
    const run = traced(worldOf('7.2'), 'ftrace_regs_caller', (k, cpu, frame) => {
      jump(k, cpu, frame);
      write(cpu, 'RIP', addressOf(k, 'replacement'));
    });
    expect(run.events.map(({ who }) => who)).toEqual(['my_tramp1']);
  });

  test('is not known to 6.12, which calls the odd address', () => {
    const run = () => traced(worldOf('6.12'), 'ftrace_regs_caller', jump);
    expect(run).toThrow('unsupported instruction 0f 1e fa (reservednop) at my_tramp1+0x1');
  });
});

describe('registers and flags', () => {
  test('the frame of ftrace_regs_caller holds the other registers and the flags', () => {
    const seen: string[] = [];
    traced(worldOf('6.12'), 'ftrace_regs_caller', (_, __, frame) => {
      const fields = ['RBX', 'RBP', 'R10', 'R12', 'R13', 'R14', 'R15', 'EFLAGS'] as const;
      seen.push(...fields.map((field) => toHex(frame(field))));
    });
    expect(new Set(seen).size).toBe(8);
    expect(seen.at(-1)).toBe('0x246');
  });

  test.each([
    ['0x202', hex(returnOf('f6', VALUES))],
    ['0x242', '0xaaaa000055550000'],
  ])('flags that a handler writes are those that a direct trampoline finds: %s', (flags, rax) => {
    const k = worldOf('6.12');
    withCode(k, 'tramp#1', (a) => {
      a.jumpIfZeroShort('zero');
      a.ret();
      a.label('zero');
      a.pop(RAX);
      a.jump('replacement');
    });
    const run = traced(k, 'ftrace_regs_caller', (state, cpu) => {
      write(cpu, 'EFLAGS', fromHex(flags));
      write(cpu, 'ORIG_RAX', addressOf(state, 'tramp#1'));
    });
    expect(run).toMatchObject({ ...WELL, rax });
  });

  test.each(['RBX', 'RBP', 'R12', 'R13', 'R14', 'R15'] as const)('a handler may change %s', (field) => {
    const run = traced(worldOf('6.12'), 'ftrace_regs_caller', (_, cpu) => write(cpu, field, fromHex('0x77')));
    expect(run).toMatchObject({ ...WELL, calleeSaved: [field.toLowerCase()] });
  });

  test('what a handler writes to rbx in the short frame is ignored', () => {
    const run = traced(worldOf('6.12'), 'ftrace_caller', (_, cpu) => write(cpu, 'RBX', fromHex('0x77')));
    expect(run).toMatchObject(WELL);
  });

  test('a frame is the size of struct pt_regs and ends where the return address stands', () => {
    let distance = 0;
    traced(worldOf('6.12'), 'ftrace_caller', (_, { register }, frame) => {
      distance = frame('RSP').lo - register(RCX).lo;
    });
    expect(distance).toBe(FRAME_BYTES + 8);
  });

  it.each(ENTRIES)(
    'what a handler leaves in the argument registers does not reach the function, %s',
    (entry) => {
      const run = traced(worldOf('6.12'), entry, (_, { setRegister }) => {
        for (const reg of [RAX, RDI, RSI, RDX, RCX, R8, R9]) setRegister(reg, fromHex('0x1234'));
      });
      expect(run.events[0]!.args).toEqual(VALUES.map(hex));
    },
  );
});

import { describe, expect, it } from 'vitest';
import { createMachine } from './create-machine.ts';
import { setBreakpoint } from './link.ts';
import type { Machine } from './machine.ts';
import { forgetCode, JOURNAL_ROW, readRegister, regionNamed, writeRegister } from './machine.ts';
import { EXECUTE, READ, WRITE, writeBytes } from './memory.ts';
import { RAX, RDI } from './register.ts';
import type { InstructionRow } from './rig.ts';
import {
  bytesOf,
  CODE,
  createRig,
  DATA,
  describeStop,
  NOWHERE,
  outcome,
  SPECS,
  START,
  setState,
  stated,
  titled,
} from './rig.ts';
import { run } from './run.ts';
import { fromBigInt, plus, toNumber } from './word.ts';

const FETCHES: readonly InstructionRow[] = [
  {
    asm: 'jmp *%rax',
    bytes: 'ffe0',
    before: { rax: NOWHERE },
    stop: 'fetch of 1 byte at 0xffffc90000f00000: unmapped',
  },
  {
    asm: 'jmp *%rax',
    bytes: 'ffe0',
    before: { rax: DATA },
    stop: 'fetch of 1 byte at data+0x0: not executable',
  },
  {
    asm: 'jmp 0xffffffffc0000200',
    bytes: 'e9fb000000',
    stop: 'fetch of 1 byte at 0xffffffffc0000200: unmapped',
  },
  {
    asm: 'jmp 0xffffffffbffffffe',
    bytes: 'e9f9feffff',
    stop: 'fetch of 1 byte at 0xffffffffbffffffe: unmapped',
  },
  {
    asm: 'jne 0xffffffffc0000200',
    bytes: '0f85fa000000',
    stop: 'fetch of 1 byte at 0xffffffffc0000200: unmapped',
  },
];

describe('a fetch from where no code is', () => {
  it.each(titled(FETCHES))('%s', (_, row) => {
    expect(outcome(row)).toEqual(stated(row));
  });

  it('at the start of a run is a fault too', () => {
    const m = createRig(bytesOf('90'));
    setState(m, { rip: NOWHERE });
    expect(describeStop(m, run(m, 9))).toBe('fetch of 1 byte at 0xffffc90000f00000: unmapped');
    expect(m.steps).toBe(0);
  });

  it('after the last instruction of a region belongs to that instruction', () => {
    const m = createRig(bytesOf('90'));
    setState(m, { rip: CODE + 0x1ffn });
    const stop = run(m, 9);
    expect(describeStop(m, stop)).toBe('fetch of 1 byte at 0xffffffffc0000200: unmapped');
    expect(stop.at).toEqual(fromBigInt(CODE + 0x1ffn));
  });

  it.each(['e8', '48', '0f', '4883', '66', 'b8010203', '48b801020304'])(
    '%s at the end of a region is the start of an instruction that is not mapped',
    (hex) => {
      const m = createRig(bytesOf('90'));
      const address = CODE + 0x200n - BigInt(hex.length / 2);
      writeBytes(regionNamed(m, 'code'), Number(address - CODE), bytesOf(hex));
      setState(m, { rip: address - 1n });
      const stop = run(m, 9);
      const offset = (address - CODE).toString(16);
      expect(describeStop(m, stop)).toBe(
        `fetch of ${hex.length / 2 + 1} bytes at code+0x${offset}: unmapped`,
      );
    },
  );
});

describe('a breakpoint', () => {
  const breakAt = (m: Machine, offset: bigint) =>
    setBreakpoint(m, regionNamed(m, 'code'), Number(START - CODE + offset));

  it('stops a run before its instruction, which does not count', () => {
    const m = createRig(bytesOf('ffc0ffc0ffc0'));
    breakAt(m, 2n);
    setState(m, { rax: 0 });
    expect(run(m, 9)).toEqual({ kind: 'breakpoint', at: fromBigInt(START + 2n) });
    expect([toNumber(readRegister(m, RAX)), m.steps]).toEqual([1, 1]);
  });

  it('does not stop a run that starts at it, and stops the next that comes by', () => {
    // inc %eax; jmp back to it
    const m = createRig(bytesOf('ffc0ebfc'));
    breakAt(m, 0n);
    setState(m, { rax: 0 });
    for (const turn of [1, 2, 3]) {
      expect(run(m, 99)).toEqual({ kind: 'breakpoint', at: fromBigInt(START) });
      expect([toNumber(readRegister(m, RAX)), m.steps]).toEqual([turn, 2 * turn]);
    }
  });

  it.each(['50', '4889c8', 'e800000000', '7400', 'eb00', '0f1f440000', '488b442408'])(
    'on %s leaves what the instruction does as it is',
    (hex) => {
      const plain = createRig(bytesOf(hex));
      const broken = createRig(bytesOf(hex));
      breakAt(broken, 0n);
      expect(run(broken, 1)).toEqual(run(plain, 1));
      expect(broken.arena.slice(0, 64)).toEqual(plain.arena.slice(0, 64));
    },
  );

  it('may be set on an instruction that has been executed', () => {
    const m = createRig(bytesOf('ffc0ebfc'));
    run(m, 9);
    breakAt(m, 2n);
    expect(run(m, 9)).toEqual({ kind: 'breakpoint', at: fromBigInt(START + 2n) });
  });

  it('goes with the code', () => {
    const m = createRig(bytesOf('9090'));
    breakAt(m, 1n);
    forgetCode(m, regionNamed(m, 'code'));
    expect(run(m, 2)).toEqual({ kind: 'budget', at: fromBigInt(START + 2n) });
  });
});

describe('code that stores into code', () => {
  const specs = SPECS.map((spec) =>
    spec.name === 'code' ? { ...spec, permission: READ | WRITE | EXECUTE } : spec,
  );

  it('executes what it wrote, in the next instruction too', () => {
    // movw $0xc8ff,0x100(%rdi) changes the `inc %eax` after it into `dec %eax`.
    const m = createRig(bytesOf('66c78709010000ffc8ffc0cc'), specs);
    setState(m, { rdi: CODE, rax: 5 });
    expect(run(m, 9)).toMatchObject({ kind: 'fault', fault: { kind: 'breakpoint trap' } });
    expect(toNumber(readRegister(m, RAX))).toBe(4);
  });

  it('executes what it wrote when it comes by again', () => {
    // 0: inc %eax; cmp $2,%eax; je end; movb $0xc8,1(%rdi): the second time round it is a `dec`.
    const m = createRig(bytesOf('ffc083f80274 0ac68701010000c8ebf0cccccc'.replace(' ', '')), specs);
    setState(m, { rdi: CODE, rax: 5 });
    run(m, 5);
    expect(toNumber(readRegister(m, RAX))).toBe(6);
    Object.assign(m.rip, fromBigInt(START));
    run(m, 1);
    expect(toNumber(readRegister(m, RAX))).toBe(5);
  });
});

describe('regions that call each other', () => {
  const FAR = CODE + 0x1000n;
  const far = { name: 'far', base: fromBigInt(FAR), size: 0x10, permission: READ | EXECUTE };

  it('a call into code that has been replaced reaches the new code', () => {
    const m = createRig(bytesOf('e8fb0e0000ebf9'), [...SPECS, far]);
    const region = regionNamed(m, 'far');
    setState(m, { rax: 0 });
    for (const [code, sum] of [
      ['ffc0c3', 2],
      ['ffc8c3', 0],
      ['90ffc0c3', 2],
    ] as const) {
      forgetCode(m, region);
      writeBytes(region, 0, bytesOf(code));
      Object.assign(m.rip, fromBigInt(START));
      run(m, code.startsWith('90') ? 9 : 7);
      expect(toNumber(readRegister(m, RAX))).toBe(sum);
    }
  });
});

describe('the journal', () => {
  /** `code` again, as the region whose stores are written down. */
  function journalling(code: string): Machine {
    const m = createMachine(SPECS, { stack: 'stack', data: 'data', journalled: 'code' });
    const region = regionNamed(m, 'code');
    writeBytes(region, 0, new Uint8Array(region.size).fill(0x90));
    writeBytes(region, 0x100, bytesOf(code));
    setState(m, { rip: START, rdi: DATA, rsp: DATA + 0x80n });
    writeRegister(m, RAX, plus(fromBigInt(DATA), 0x40));
    return m;
  }

  it.each([
    ['mov %rax,0x8(%rdi)', '48894708', 8, 8],
    ['movq $0x1,0x10(%rdi)', '48c7471001000000', 0x10, 8],
    ['mov %eax,0x8(%rdi)', '894708', 8, 4],
    ['mov %al,0x1(%rdi)', '884701', 1, 1],
    ['mov %rax,0x3(%rdi)', '48894703', 3, 8],
    ['addq $0x1,0x8(%rdi)', '4883470801', 8, 8],
    ['xchg %rax,(%rdi)', '488707', 0, 8],
    ['sete (%rdi)', '0f9407', 0, 1],
    ['popq (%rdi)', '8f07', 0, 8],
  ])('notes %s', (_, code, offset, size) => {
    const m = journalling(code);
    run(m, 1);
    const { hi, lo } = plus(fromBigInt(DATA), offset);
    expect([...m.journal.slice(0, m.journalLength)]).toEqual([0x100, hi, lo, size]);
  });

  it.each(['50', '5f', '488b4708', 'e800000000', '4889c7', '483b4708'])('does not note %s', (code) => {
    const m = journalling(code);
    run(m, 1);
    expect(m.journalLength).toBe(0);
  });

  it('notes no store of other regions, and none that fails', () => {
    const m = createRig(bytesOf('488907'));
    setState(m, { rdi: DATA });
    run(m, 1);
    expect(m.journalLength).toBe(0);
    const failing = journalling('488907');
    setState(failing, { rdi: CODE });
    run(failing, 1);
    expect(failing.journalLength).toBe(0);
  });

  it('counts rows that it has no room for', () => {
    // mov %rax,(%rdi); jmp back
    const m = journalling('488907ebfb');
    run(m, 2 * 2000);
    expect(m.journalLength).toBe(2000 * JOURNAL_ROW);
    expect([...m.journal.slice(-4)]).toEqual([0x100, fromBigInt(DATA).hi, fromBigInt(DATA).lo, 8]);
    expect(readRegister(m, RDI)).toEqual(fromBigInt(DATA));
  });
});

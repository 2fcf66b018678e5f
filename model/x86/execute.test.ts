import { describe, expect, it } from 'vitest';
import { run } from './execute.ts';
import * as flags from './flags.ts';
import { REG_STRIDE } from './instruction.ts';
import { FLAGS_AT, forgetCode, RETURNS, RETURNS_AT, readRegister, regionNamed } from './machine.ts';
import { EXECUTE, READ, WRITE, writeBytes } from './memory.ts';
import { CONSTANT, CONSTANT4 } from './origin.ts';
import { AH, RAX, RBP, RSP } from './register.ts';
import { bytesOf, CODE, createRig, DATA, SPECS, START, setState, TOP } from './rig.ts';
import { OP, ROW } from './row.ts';
import { fromBigInt, toNumber } from './word.ts';

/** The members of an enumeration by name; its object also leads from number to name. */
async function members(
  name: 'Row' | 'Op' | 'At' | 'Flags' | 'Tags' | 'Mask',
): Promise<Record<string, number>> {
  const module: Record<string, unknown> = await import('./execute.ts');
  const entries = Object.entries(module[name] as Record<string, string | number>);
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'number')) as Record<
    string,
    number
  >;
}

describe("the loop's literals are the numbers of the other files", () => {
  it('fields of a row', async () => {
    const { OP: first, ...others } = ROW;
    expect(await members('Row')).toEqual(others);
    expect(first).toBe(0);
  });

  it('short forms', async () => {
    const { GENERIC, ...others } = OP;
    expect(await members('Op')).toEqual(others);
    expect(GENERIC).toBe(0);
  });

  it('places in the arena', async () => {
    expect(await members('At')).toEqual({
      RSP: RSP * REG_STRIDE,
      RBP: RBP * REG_STRIDE,
      RETURNS: RETURNS_AT,
    });
  });

  it('flags', async () => {
    const { FROM_BITS, FROM_ADD, FROM_SUB, FROM_LOGIC, ...fields } = await members('Flags');
    const { KIND, SIZE, A_LO, A_HI, B_LO, B_HI, R_LO, R_HI, TAG } = flags;
    const expected = { KIND, SIZE, A_LO, A_HI, B_LO, B_HI, R_LO, R_HI, TAG };
    expect(fields).toEqual(Object.fromEntries(Object.entries(expected).map(([k, v]) => [k, FLAGS_AT + v])));
    expect([FROM_BITS, FROM_ADD, FROM_SUB, FROM_LOGIC]).toEqual([
      flags.FROM_BITS,
      flags.FROM_ADD,
      flags.FROM_SUB,
      flags.FROM_LOGIC,
    ]);
  });

  it('tags', async () => {
    expect(await members('Tags')).toEqual({ CONSTANT: CONSTANT4, ONE: CONSTANT, ZERO_TEST: flags.ZERO_TEST });
  });

  it('ranges hold every register field and every place of the cache', async () => {
    const mask = await members('Mask');
    expect(mask).toEqual({ INDEX: 0xffffff, REGISTER: 0x7f, RETURNS: RETURNS - 1 });
    expect((AH + 3) * REG_STRIDE + 3).toBeLessThanOrEqual(mask.REGISTER!);
  });
});

/** `jmp` to itself. */
const FOREVER = 'ebfe';

describe('the budget', () => {
  it.each([0, 1, 2, 1000])('a run of %i instructions ends where the next one would start', (budget) => {
    const m = createRig(bytesOf(FOREVER));
    expect(run(m, budget)).toEqual({ kind: 'budget', at: fromBigInt(START) });
    expect(m.steps).toBe(budget);
  });

  it('counts every instruction once, short forms and generic ones', () => {
    // push, add (generic), pop, call +0, three nops
    const m = createRig(bytesOf('500411 58 e800000000 909090'.replaceAll(' ', '')));
    expect(run(m, 6)).toEqual({ kind: 'budget', at: fromBigInt(START + 11n) });
    expect(m.steps).toBe(6);
  });

  it('resumes where it stopped', () => {
    const m = createRig(bytesOf('ffc0ffc0ffc0'));
    setState(m, { rax: 0 });
    for (const address of [2n, 4n, 6n]) {
      Object.assign(m.rip, run(m, 1).at);
      expect(m.rip).toEqual(fromBigInt(START + address));
    }
    expect(toNumber(readRegister(m, RAX))).toBe(3);
    expect(m.steps).toBe(3);
  });

  it('the instruction that faults counts, and the run stops at it', () => {
    const m = createRig(bytesOf('90cc'));
    expect(run(m, 9)).toMatchObject({ kind: 'fault', at: fromBigInt(START + 1n) });
    expect(m.steps).toBe(2);
  });
});

describe('a program', () => {
  it('calls, returns and loops', () => {
    // mov $5,%ecx; xor %eax,%eax; 7: call 0x13; dec %ecx; jne 7; int3; …; 13: add %rcx,%rax; ret
    const m = createRig(bytesOf('b90500000031c0e807000000ffc975f7cc90904801c8c3'));
    expect(run(m, 99)).toMatchObject({ kind: 'fault', fault: { kind: 'breakpoint trap' } });
    expect(toNumber(readRegister(m, RAX))).toBe(5 + 4 + 3 + 2 + 1);
    expect(readRegister(m, RSP)).toEqual(fromBigInt(TOP));
    expect(m.steps).toBe(2 + 5 * 5 + 1);
  });

  it('returns to one address from many, and to many from one', () => {
    // 0: call 10; call 10; int3; … 10: add $1,%rax; ret
    const m = createRig(bytesOf('e80b000000e806000000cc90909090904883c001c3'));
    setState(m, { rax: 0 });
    expect(run(m, 99)).toMatchObject({ kind: 'fault', at: fromBigInt(START + 10n) });
    expect(toNumber(readRegister(m, RAX))).toBe(2);
  });

  it('two return addresses that share a place in the cache are distinguished', () => {
    // Two calls 64 bytes apart reach one `ret`.
    const code = new Uint8Array(0x60).fill(0x90);
    code.set(bytesOf('e84b000000'), 0);
    code.set(bytesOf('e80b000000'), 0x40);
    code.set(bytesOf('cc'), 0x45);
    code.set(bytesOf('c3'), 0x50);
    const m = createRig(code);
    expect(run(m, 999)).toMatchObject({ kind: 'fault', at: fromBigInt(START + 0x45n) });
    expect(m.steps).toBe(2 + 0x3b + 2 + 1);
  });

  it('a jump into the middle of an instruction executes the bytes there', () => {
    // mov $0xcc90ffc0,%eax; jmp 1
    const m = createRig(bytesOf('b8ffc090ccebfa'));
    setState(m, { rax: 0 });
    expect(run(m, 9)).toMatchObject({ kind: 'fault', at: fromBigInt(START + 4n) });
    expect(toNumber(readRegister(m, RAX))).toBe(0xcc90c100);
  });
});

describe('code that changes', () => {
  it('is read again after forgetCode()', () => {
    const m = createRig(bytesOf('ffc0cc'));
    const code = regionNamed(m, 'code');
    setState(m, { rax: 0 });
    run(m, 9);
    forgetCode(m, code);
    writeBytes(code, Number(START - CODE), bytesOf('ffc8'));
    setState(m, { rip: START });
    run(m, 9);
    expect(toNumber(readRegister(m, RAX))).toBe(0);
  });

  it('is returned to again, however its instructions were numbered before', () => {
    // call 20; inc %eax; int3; … 20: ret
    const code = new Uint8Array(0x21).fill(0x90);
    code.set(bytesOf('e81b000000ffc0cc'));
    code[0x20] = 0xc3;
    const m = createRig(code);
    setState(m, { rax: 0 });
    run(m, 9);
    forgetCode(m, regionNamed(m, 'code'));
    setState(m, { rip: START - 2n });
    expect(run(m, 9)).toMatchObject({ kind: 'fault', at: fromBigInt(START + 7n) });
    expect([toNumber(readRegister(m, RAX)), m.steps]).toEqual([2, 4 + 6]);
  });

  it('is read again after a store to it, even where the loop stores by itself', () => {
    // call *%rdi; mov %rcx,(%rdi); call *%rdi; int3, and at %rdi first `inc %eax; ret`, then `dec %eax; ret`
    const specs = SPECS.map((spec) =>
      spec.name === 'data' ? { ...spec, permission: READ | WRITE | EXECUTE } : spec,
    );
    const m = createRig(bytesOf('ffd748890fffd7cc'), specs);
    setState(m, { rax: 5, rdi: DATA, rcx: 0xc3c8ff, 'data+0x0': 'ffc0c3' });
    expect(run(m, 99)).toMatchObject({ kind: 'fault', at: fromBigInt(START + 7n) });
    expect(toNumber(readRegister(m, RAX))).toBe(5);
  });

  it('is executed as it was until a change is reported', () => {
    const m = createRig(bytesOf('ffc0cc'));
    setState(m, { rax: 0 });
    run(m, 9);
    writeBytes(regionNamed(m, 'code'), Number(START - CODE), bytesOf('ffc8'));
    setState(m, { rip: START });
    run(m, 9);
    expect(toNumber(readRegister(m, RAX))).toBe(2);
  });
});

import { describe, expect, it } from 'vitest';
import { createMachine } from './create-machine.ts';
import { describeFault } from './fault-words.ts';
import { NO_REGISTER } from './instruction.ts';
import type { FaultKind, MachineFault } from './machine.ts';
import {
  FLAGS_AT,
  placeOf,
  RETURNS,
  RETURNS_AT,
  raise,
  readRegister,
  registerTags,
  writeRegister,
} from './machine.ts';
import { EXECUTE, READ } from './memory.ts';
import { CONSTANT4, highTags, lowTags } from './origin.ts';
import { R15, RAX, RSP } from './register.ts';
import { createRig, DATA, NOWHERE, SPECS, STACK, START } from './rig.ts';
import { fromBigInt, fromHex, ZERO } from './word.ts';

const ROLES = { stack: 'stack', data: 'data' };

describe('a new machine', () => {
  it('has zero registers that were never written, and a constant zero after them', () => {
    const m = createMachine(SPECS, ROLES);
    for (const reg of [RAX, RSP, R15]) {
      expect(readRegister(m, reg)).toEqual(ZERO);
      expect(registerTags(m, reg)).toEqual({ lo: 0, hi: 0 });
    }
    expect([...m.arena.slice(NO_REGISTER, NO_REGISTER + 4)]).toEqual([0, 0, CONSTANT4, CONSTANT4]);
  });

  it('has its parts one after the other, none over another', () => {
    const m = createMachine(SPECS, ROLES);
    const parts = m.regions.flatMap(({ wordsAt, tagsAt, size, code }) => [
      [wordsAt, wordsAt + size / 4],
      [tagsAt, tagsAt + size / 4],
      [code.rowsAt, code.rowsAt + code.capacity * 8],
    ]);
    const ends = [[0, FLAGS_AT], [FLAGS_AT, FLAGS_AT + 10], [RETURNS_AT, RETURNS_AT + 4 * RETURNS], ...parts];
    for (const [i, [from]] of ends.entries()) expect(from).toBeGreaterThanOrEqual(ends[i - 1]?.[1] ?? 0);
    expect(ends.at(-1)![1]).toBe(m.arena.length);
  });

  it('knows which region plays which part', () => {
    const m = createMachine(SPECS, { ...ROLES, journalled: 'code' });
    expect([m.stack.name, m.data.name, m.journalled?.name]).toEqual(['stack', 'data', 'code']);
    expect(createMachine(SPECS, ROLES).journalled).toBeUndefined();
  });

  it.each([
    { stack: 'stock', data: 'data' },
    { stack: 'stack', data: 'stock' },
    { ...ROLES, journalled: 'stock' },
  ])('refuses a part that no region plays', (roles) => {
    expect(() => createMachine(SPECS, roles)).toThrow('no region is called stock');
  });
});

describe('registers', () => {
  it('keep a word and its tags', () => {
    const m = createMachine(SPECS, ROLES);
    writeRegister(m, R15, fromHex('0x1122334455667788'), lowTags(4), highTags(4));
    expect(readRegister(m, R15)).toEqual(fromHex('0x1122334455667788'));
    expect(registerTags(m, R15)).toEqual({ lo: lowTags(4), hi: highTags(4) });
    expect(m.flags.some((value) => value !== 0)).toBe(false);
  });

  it('are constant by default', () => {
    const m = createMachine(SPECS, ROLES);
    writeRegister(m, RAX, ZERO);
    expect(registerTags(m, RAX)).toEqual({ lo: CONSTANT4, hi: CONSTANT4 });
  });
});

describe('an address as reports print it', () => {
  it.each([
    [DATA, 'data+0x0'],
    [DATA + 0xffn, 'data+0xff'],
    [DATA + 0x100n, '0xffffc90000200100'],
    [STACK - 1n, '0xffffc900000fffff'],
    [START, 'code+0x100'],
    [0n, '0x0'],
  ])('%i is %s', (address, text) => {
    expect(placeOf(createRig(new Uint8Array()), fromBigInt(address))).toBe(text);
  });
});

describe('a fault in a line', () => {
  const fault = (
    kind: FaultKind,
    access: MachineFault['access'],
    size: number,
    address: bigint,
  ): MachineFault => ({
    kind,
    access,
    size,
    address: fromBigInt(address),
    at: ZERO,
    region: undefined,
  });

  it.each([
    [fault('not writable', 'write', 8, STACK + 0xc0n), 'write of 8 bytes at stack+0xc0: not writable'],
    [fault('unmapped', 'read', 1, NOWHERE), 'read of 1 byte at 0xffffc90000f00000: unmapped'],
    [fault('not executable', 'execute', 1, DATA), 'fetch of 1 byte at data+0x0: not executable'],
    [fault('breakpoint trap', 'execute', 1, START), 'breakpoint trap'],
    [fault('invalid opcode', 'execute', 1, START), 'invalid opcode'],
  ])('%o', (fault, text) => {
    expect(describeFault(createRig(new Uint8Array()), fault)).toBe(text);
  });

  it('raise() tells the region, the instruction, and its caller to stop', () => {
    const m = createRig(new Uint8Array());
    expect(raise(m, 'not readable', 'read', fromBigInt(DATA + 8n), 2)).toBe(false);
    expect(m.stop).toEqual({
      kind: 'fault',
      at: fromBigInt(START),
      fault: { ...fault('not readable', 'read', 2, DATA + 8n), at: fromBigInt(START), region: 'data' },
    });
  });
});

describe('a machine that its rows could not name', () => {
  const code = (size: number) => ({ name: 'big', base: fromHex('0x100000000'), size, permission: EXECUTE });

  it.each([
    ['too many regions', Array.from({ length: 257 }, () => SPECS[0]!), '257 regions, more than 256'],
    ['too much code', [...SPECS, code(0x100008)], 'region big has 1048584 bytes of code, more than 1048576'],
    [
      'too much in all',
      [...SPECS, { ...code(0x4000000), permission: READ }],
      /^the regions take \d+ numbers, more than 16777216$/,
    ],
  ])('is not made: %s', (_, specs, message) => {
    expect(() => createMachine(specs, ROLES)).toThrow(message);
  });

  it('is made while there is space', () => {
    expect(createMachine([...SPECS, code(0x80000)], ROLES).regions).toHaveLength(SPECS.length + 1);
  });
});

import { describe, expect, it } from 'vitest';
import { run } from '../execute.ts';
import { AF, ALL_FLAGS, CF, OF, PF, SF, setBits, ZF } from '../flags.ts';
import { readRegister } from '../machine.ts';
import { RAX } from '../register.ts';
import type { InstructionRow } from '../rig.ts';
import { createRig, DATA, NOWHERE, outcome, START, setState, stated, textOf, titled } from '../rig.ts';
import { fromBigInt, plus } from '../word.ts';

interface Flags {
  readonly c: boolean;
  readonly p: boolean;
  readonly z: boolean;
  readonly s: boolean;
  readonly o: boolean;
}

/** The conditions in the order of their codes, as the manual defines them. */
const CONDITIONS: readonly (readonly [name: string, holds: (f: Flags) => boolean])[] = [
  ['o', ({ o }) => o],
  ['no', ({ o }) => !o],
  ['b', ({ c }) => c],
  ['ae', ({ c }) => !c],
  ['e', ({ z }) => z],
  ['ne', ({ z }) => !z],
  ['be', ({ c, z }) => c || z],
  ['a', ({ c, z }) => !(c || z)],
  ['s', ({ s }) => s],
  ['ns', ({ s }) => !s],
  ['p', ({ p }) => p],
  ['np', ({ p }) => !p],
  ['l', ({ s, o }) => s !== o],
  ['ge', ({ s, o }) => s === o],
  ['le', ({ z, s, o }) => z || s !== o],
  ['g', ({ z, s, o }) => !(z || s !== o)],
];

/** All 64 settings of the six flags. */
const SETTINGS: readonly number[] = Array.from({ length: 64 }, (_, k) =>
  [CF, PF, AF, ZF, SF, OF].reduce((bits, flag, i) => bits | ((k >> i) & 1 ? flag : 0), 0),
);

function flagsOf(bits: number): Flags {
  const has = (flag: number) => (bits & flag) !== 0;
  return { c: has(CF), p: has(PF), z: has(ZF), s: has(SF), o: has(OF) };
}

/** The settings for which an instruction that ends in a given state took its condition for true. */
function heldFor(code: Uint8Array, taken: (m: ReturnType<typeof createRig>) => boolean): number[] {
  const m = createRig(code);
  return SETTINGS.filter((bits) => {
    setState(m, { rip: START, rax: 0, rcx: 1 });
    setBits(m.flags, bits);
    Object.assign(m.rip, run(m, 1).at);
    return taken(m);
  });
}

const code = (first: readonly number[], condition: number, rest: readonly number[]) =>
  Uint8Array.from([...first.slice(0, -1), first.at(-1)! | condition, ...rest]);

describe.each(CONDITIONS.map(([name, holds], number) => ({ name, holds, number })))(
  'condition $name',
  ({ name, holds, number }) => {
    const settings = SETTINGS.filter((bits) => holds(flagsOf(bits)));
    const jumped = (m: ReturnType<typeof createRig>) => m.rip.lo === plus(fromBigInt(START), 0x20).lo;
    const item = (m: ReturnType<typeof createRig>) => readRegister(m, RAX).lo === 1;

    it.each([
      [`j${name} 0xffffffffc0000120`, code([0x70], number, [0x1e]), jumped],
      [`j${name} 0xffffffffc0000120`, code([0x0f, 0x80], number, [0x1a, 0, 0, 0]), jumped],
      [`set${name} %al`, code([0x0f, 0x90], number, [0xc0]), item],
      [`cmov${name} %rcx,%rax`, code([0x48, 0x0f, 0x40], number, [0xc1]), item],
    ])('%s', (asm, bytes, taken) => {
      expect(textOf(bytes)).toBe(asm);
      expect(heldFor(bytes, taken)).toEqual(settings);
      expect(settings.length % 64).not.toBe(0);
    });
  },
);

const FORMS: readonly InstructionRow[] = [
  { asm: 'sete %al', bytes: '0f94c0', before: { flags: 'ZF' }, after: { rax: 0x0102030405060701n } },
  { asm: 'sete %al', bytes: '0f94c0', after: { rax: 0x0102030405060700n } },
  { asm: 'setne %ah', bytes: '0f95c4', after: { rax: 0x0102030405060108n } },
  { asm: 'setb %r9b', bytes: '410f92c1', before: { flags: 'CF' }, after: { r9: 0x9192939495969701n } },
  { asm: 'seta 0x7(%rdi)', bytes: '0f974707', before: { rdi: DATA }, after: { 'data+0x7': '01' } },
  { asm: 'cmove %rcx,%rax', bytes: '480f44c1', before: { flags: 'ZF' }, after: { rax: 0x1112131415161718n } },
  { asm: 'cmove %ecx,%eax', bytes: '0f44c1', before: { flags: 'ZF' }, after: { rax: 0x15161718 } },
  { asm: 'cmove %ecx,%eax', bytes: '0f44c1', after: { rax: 0x05060708 } },
  { asm: 'cmovne %cx,%ax', bytes: '660f45c1', after: { rax: 0x0102030405061718n } },
  {
    asm: 'cmovs 0x8(%rdi),%r8',
    bytes: '4c0f484708',
    before: { rdi: DATA, flags: 'SF' },
    after: { r8: 0x0f0e0d0c0b0a0908n },
  },
  {
    asm: 'cmovs (%rdi),%r8',
    bytes: '4c0f4807',
    before: { rdi: NOWHERE },
    stop: 'read of 8 bytes at 0xffffc90000f00000: unmapped',
  },
];

describe('setcc and cmovcc by their operands', () => {
  it.each(titled(FORMS))('%s', (_, row) => {
    expect(outcome(row)).toEqual(stated(row));
  });
});

it('the settings cover every flag', () => {
  expect(SETTINGS.reduce((seen, bits) => seen | bits, 0)).toBe(ALL_FLAGS);
  expect(new Set(SETTINGS).size).toBe(64);
});

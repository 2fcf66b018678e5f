import { describe, expect, it } from 'vitest';
import { wholeTag } from './flags.ts';
import type { Machine } from './machine.ts';
import { readRegister, regionNamed, registerTags, writeRegister } from './machine.ts';
import { tagAt } from './origin.ts';
import { registerName } from './register.ts';
import { bytesOf, createRig, DATA, setState, textOf } from './rig.ts';
import { run } from './run.ts';

/**
 * Origins of bytes, lowest first: `a0` … `a7` are the bytes of argument a, `.` is constant, `?` undefined, `*`
 * computed. A shorter text leaves the bytes above it as they are.
 */
type Origins = Readonly<Record<string, string>>;

interface Row {
  readonly asm: string;
  readonly bytes: string;
  /** Registers, and `data`: its first bytes. `rdi` points to it. */
  readonly before: Origins;
  readonly after: Origins;
  /** Tag of the flags; constant if it is not given. */
  readonly flags?: string;
}

const A = 'a0 a1 a2 a3 a4 a5 a6 a7';
const B = 'b0 b1 b2 b3 b4 b5 b6 b7';
const CONSTANT = '. . . . . . . .';
const MIXED = '* * * * * * * *';
const UNDEFINED = '? ? ? ? ? ? ? ?';
const LOW_MIXED = '* * * * . . . .';

const MOVES: readonly Row[] = [
  { asm: 'mov %rcx,%rax', bytes: '4889c8', before: { rcx: A }, after: { rax: A } },
  { asm: 'mov %ecx,%eax', bytes: '89c8', before: { rcx: A, rax: B }, after: { rax: 'a0 a1 a2 a3 . . . .' } },
  {
    asm: 'mov %cx,%ax',
    bytes: '6689c8',
    before: { rcx: A, rax: B },
    after: { rax: 'a0 a1 b2 b3 b4 b5 b6 b7' },
  },
  {
    asm: 'mov %cl,%al',
    bytes: '88c8',
    before: { rcx: A, rax: B },
    after: { rax: 'a0 b1 b2 b3 b4 b5 b6 b7' },
  },
  {
    asm: 'mov %ch,%al',
    bytes: '88e8',
    before: { rcx: A, rax: B },
    after: { rax: 'a1 b1 b2 b3 b4 b5 b6 b7' },
  },
  {
    asm: 'mov %cl,%ah',
    bytes: '88cc',
    before: { rcx: A, rax: B },
    after: { rax: 'b0 a0 b2 b3 b4 b5 b6 b7' },
  },
  { asm: 'mov $0x1,%ax', bytes: '66b80100', before: { rax: A }, after: { rax: '. . a2 a3 a4 a5 a6 a7' } },
  { asm: 'mov $0x1,%eax', bytes: 'b801000000', before: { rax: A }, after: { rax: CONSTANT } },
  { asm: 'mov %rax,(%rdi)', bytes: '488907', before: { rax: A, data: UNDEFINED }, after: { data: A } },
  {
    asm: 'mov %eax,(%rdi)',
    bytes: '8907',
    before: { rax: A, data: B },
    after: { data: 'a0 a1 a2 a3 b4 b5 b6 b7' },
  },
  { asm: 'mov %rax,0x3(%rdi)', bytes: '48894703', before: { rax: A }, after: { data: `. . . ${A}` } },
  { asm: 'mov %ah,0x1(%rdi)', bytes: '886701', before: { rax: A }, after: { data: '. a1 . .' } },
  { asm: 'movq $0x1,(%rdi)', bytes: '48c70701000000', before: { data: A }, after: { data: CONSTANT } },
  { asm: 'mov (%rdi),%rax', bytes: '488b07', before: { data: A }, after: { rax: A } },
  {
    asm: 'mov 0x2(%rdi),%rax',
    bytes: '488b4702',
    before: { data: `${A} ${B}` },
    after: { rax: 'a2 a3 a4 a5 a6 a7 b0 b1' },
  },
  {
    asm: 'mov 0x4(%rdi),%eax',
    bytes: '8b4704',
    before: { data: A, rax: B },
    after: { rax: 'a4 a5 a6 a7 . . . .' },
  },
  {
    asm: 'mov 0x7(%rdi),%al',
    bytes: '8a4707',
    before: { data: A, rax: B },
    after: { rax: 'a7 b1 b2 b3 b4 b5 b6 b7' },
  },
  { asm: 'mov (%rdi),%rax', bytes: '488b07', before: { data: UNDEFINED }, after: { rax: UNDEFINED } },
  { asm: 'push %rcx; pop %rax', bytes: '5158', before: { rcx: A }, after: { rax: A } },
  { asm: 'xchg %rcx,%rax', bytes: '4887c8', before: { rcx: A, rax: B }, after: { rcx: B, rax: A } },
  { asm: 'xchg %rax,(%rdi)', bytes: '488707', before: { rax: A, data: B }, after: { rax: B, data: A } },
  { asm: 'bswap %rax', bytes: '480fc8', before: { rax: A }, after: { rax: 'a7 a6 a5 a4 a3 a2 a1 a0' } },
  { asm: 'bswap %eax', bytes: '0fc8', before: { rax: A }, after: { rax: 'a3 a2 a1 a0 . . . .' } },
  { asm: 'movzbl %cl,%eax', bytes: '0fb6c1', before: { rcx: A, rax: B }, after: { rax: 'a0 . . . . . . .' } },
  { asm: 'movzwl (%rdi),%eax', bytes: '0fb707', before: { data: A }, after: { rax: 'a0 a1 . . . . . .' } },
  { asm: 'movsbq %cl,%rax', bytes: '480fbec1', before: { rcx: A }, after: { rax: 'a0 * * * * * * *' } },
  { asm: 'movslq %ecx,%rax', bytes: '4863c1', before: { rcx: A }, after: { rax: 'a0 a1 a2 a3 * * * *' } },
  { asm: 'movsbl %cl,%eax', bytes: '0fbec1', before: { rcx: '. a1 a2 a3' }, after: { rax: CONSTANT } },
  { asm: 'cltq', bytes: '4898', before: { rax: 'a0 a1 a2 .' }, after: { rax: 'a0 a1 a2 . . . . .' } },
  { asm: 'cqto', bytes: '4899', before: { rax: '. . . . . . . a7' }, after: { rdx: MIXED } },
  { asm: 'leave', bytes: 'c9', before: {}, after: { rbp: CONSTANT } },
];

const COMPUTED: readonly Row[] = [
  { asm: 'add %rcx,%rax', bytes: '4801c8', before: { rcx: A }, after: { rax: MIXED }, flags: 'a0' },
  { asm: 'add %rcx,%rax', bytes: '4801c8', before: {}, after: { rax: CONSTANT } },
  {
    asm: 'add $0x1,%al',
    bytes: '0401',
    before: { rax: A },
    after: { rax: '* a1 a2 a3 a4 a5 a6 a7' },
    flags: 'a0',
  },
  { asm: 'add %ecx,%eax', bytes: '01c8', before: { rax: 'a0' }, after: { rax: LOW_MIXED }, flags: 'a0' },
  {
    asm: 'add %rcx,%rax',
    bytes: '4801c8',
    before: { rcx: A, rax: UNDEFINED },
    after: { rax: UNDEFINED },
    flags: '?',
  },
  { asm: 'add %rax,(%rdi)', bytes: '480107', before: { rax: A }, after: { data: MIXED }, flags: 'a0' },
  { asm: 'xor %rax,%rax', bytes: '4831c0', before: { rax: A }, after: { rax: CONSTANT } },
  { asm: 'xor %eax,%eax', bytes: '31c0', before: { rax: UNDEFINED }, after: { rax: CONSTANT } },
  { asm: 'xor %ax,%ax', bytes: '6631c0', before: { rax: A }, after: { rax: '. . a2 a3 a4 a5 a6 a7' } },
  { asm: 'sub %rax,%rax', bytes: '4829c0', before: { rax: A }, after: { rax: CONSTANT } },
  { asm: 'xor %rcx,%rax', bytes: '4831c8', before: { rax: A, rcx: A }, after: { rax: MIXED }, flags: 'a0' },
  { asm: 'and %rax,%rax', bytes: '4821c0', before: { rax: A }, after: { rax: MIXED }, flags: 'a0' },
  { asm: 'and $0x0,%eax', bytes: '83e000', before: { rax: A }, after: { rax: LOW_MIXED }, flags: 'a0' },
  { asm: 'cmp %rcx,%rax', bytes: '4839c8', before: { rax: A, rcx: B }, after: {}, flags: 'a0' },
  { asm: 'test %rcx,%rax', bytes: '4885c8', before: { rax: '. . . . . . . a7' }, after: {}, flags: 'a7' },
  { asm: 'test %rax,%rax', bytes: '4885c0', before: { rax: A }, after: {}, flags: 'a is zero' },
  { asm: 'cmp $0x0,%rax', bytes: '4883f800', before: { rax: A }, after: {}, flags: 'a is zero' },
  { asm: 'cmp $0x1,%rax', bytes: '4883f801', before: { rax: A }, after: {}, flags: 'a0' },
  { asm: 'test %eax,%eax', bytes: '85c0', before: { rax: A }, after: {}, flags: 'a0' },
  { asm: 'not %rax', bytes: '48f7d0', before: { rax: A }, after: { rax: MIXED } },
  { asm: 'neg %rax', bytes: '48f7d8', before: { rax: A }, after: { rax: MIXED }, flags: 'a0' },
  { asm: 'inc %rax', bytes: '48ffc0', before: { rax: A }, after: { rax: MIXED }, flags: 'a0' },
  { asm: 'shl $0x8,%rax', bytes: '48c1e008', before: { rax: A }, after: { rax: MIXED }, flags: 'a0' },
  { asm: 'shl %cl,%rax', bytes: '48d3e0', before: { rcx: 'a0' }, after: { rax: MIXED }, flags: 'a0' },
  { asm: 'imul %rcx,%rax', bytes: '480fafc1', before: { rcx: A }, after: { rax: MIXED }, flags: 'a0' },
  { asm: 'mul %rcx', bytes: '48f7e1', before: { rcx: A }, after: { rax: MIXED, rdx: MIXED }, flags: 'a0' },
  { asm: 'lea 0x8(%rcx),%rax', bytes: '488d4108', before: { rcx: A }, after: { rax: MIXED } },
  { asm: 'lea 0x8(%rcx),%rax', bytes: '488d4108', before: { rcx: UNDEFINED }, after: { rax: UNDEFINED } },
  { asm: 'lea 0x8(%rcx,%rdx),%eax', bytes: '8d441108', before: { rdx: 'a0' }, after: { rax: LOW_MIXED } },
  {
    asm: 'cmp %rcx,%rax; sete %dl',
    bytes: '4839c80f94c2',
    before: { rax: A },
    after: { rdx: '*' },
    flags: 'a0',
  },
  {
    asm: 'cmp %rcx,%rax; cmove %rdx,%rbx',
    bytes: '4839c8480f44da',
    before: { rax: A, rdx: B },
    after: { rbx: MIXED },
    flags: 'a0',
  },
  { asm: 'cmove %rdx,%rbx', bytes: '480f44da', before: { rdx: B }, after: {} },
  { asm: 'cmovne %rdx,%rbx', bytes: '480f45da', before: { rdx: B }, after: { rbx: B } },
  {
    asm: 'add %rcx,%rax; adc $0x0,%rdx',
    bytes: '4801c84883d200',
    before: { rcx: A },
    after: { rax: MIXED, rdx: MIXED },
    flags: '*',
  },
  {
    asm: 'add %rcx,%rax; pushf; pop %rdx',
    bytes: '4801c89c5a',
    before: { rcx: A },
    after: { rax: MIXED, rdx: MIXED },
    flags: 'a0',
  },
  { asm: 'cmp %rcx,%rax; shl $0x1,%rdx', bytes: '4839c848d1e2', before: { rax: A }, after: {} },
  { asm: 'cmp %rcx,%rax; rol $0x1,%rdx', bytes: '4839c848d1c2', before: { rax: A }, after: {}, flags: 'a0' },
  { asm: 'test %rax,%rax; rol $0x1,%rdx', bytes: '4885c048d1c2', before: { rax: A }, after: {}, flags: '*' },
  { asm: 'shl $0x40,%rax', bytes: '48c1e040', before: { rax: A }, after: { rax: MIXED } },
];

function place(m: Machine, origins: Origins): void {
  for (const [name, text] of Object.entries(origins)) {
    const reg = REGISTERS.indexOf(name);
    const tags = text.split(' ').map(parse);
    if (name === 'data') regionNamed(m, 'data').tags.set(tags);
    else {
      const whole = [...tags, ...Array.from({ length: 8 - tags.length }, () => 1)];
      const [lo, hi] = new Int32Array(Uint8Array.from(whole).buffer);
      writeRegister(m, reg, readRegister(m, reg), lo, hi);
    }
  }
}

const REGISTERS = Array.from({ length: 16 }, (_, reg) => registerName(reg));
const PLAIN = ['?', '.', '*'];

function parse(text: string): number {
  const plain = PLAIN.indexOf(text);
  return plain >= 0 ? plain : ((text.charCodeAt(0) - 96) << 3) | Number(text[1]);
}

function print(tag: number): string {
  if (tag >= 0x100) return `${String.fromCharCode(96 + (tag & 31))} is zero`;
  return PLAIN[tag] ?? `${String.fromCharCode(96 + (tag >> 3))}${tag & 7}`;
}

function observed(m: Machine): Record<string, string> {
  const seen: Record<string, string> = { data: Array.from(regionNamed(m, 'data').tags, print).join(' ') };
  REGISTERS.forEach((name, reg) => {
    const { lo, hi } = registerTags(m, reg);
    const tags = [lo, hi].flatMap((four) => [0, 1, 2, 3].map((k) => print(tagAt(four, k))));
    seen[name] = tags.join(' ');
  });
  return seen;
}

/** What a text of origins says lies over what was there. */
function overlay(whole: string, text: string): string {
  const tokens = whole.split(' ');
  text.split(' ').forEach((token, i) => {
    tokens[i] = token;
  });
  return tokens.join(' ');
}

function rigFor({ bytes, before }: Row): Machine {
  const m = createRig(bytesOf(bytes));
  setState(m, { rdi: DATA, rbp: DATA + 0x80n, flags: '' });
  place(m, before);
  return m;
}

describe.each([
  ['moved bytes keep their origin', MOVES],
  ['computed bytes lose it, unless all were constant', COMPUTED],
])('%s', (_, rows) => {
  it.each(rows.map((row) => [`${row.asm}: ${JSON.stringify(row.before)}`, row] as const))('%s', (_, row) => {
    const m = rigFor(row);
    const before = observed(m);
    const changed = Object.entries(row.after).map(([name, text]) => [name, overlay(before[name]!, text)]);
    run(m, row.asm.split('; ').length);
    expect(textOf(bytesOf(row.bytes))).toBe(row.asm);
    expect(observed(m)).toEqual({ ...before, ...Object.fromEntries(changed) });
    expect(print(wholeTag(m.flags))).toBe(row.flags ?? '.');
  });
});

import { describe, expect, it } from 'vitest';
import type { InstructionRow } from '../rig.ts';
import { NOWHERE, outcome, stated, titled } from '../rig.ts';

const NOTHING: readonly InstructionRow[] = [
  { asm: 'nop', bytes: '90' },
  { asm: 'xchg %ax,%ax', bytes: '6690' },
  { asm: 'pause', bytes: 'f390' },
  { asm: 'nopl (%rax)', bytes: '0f1f00' },
  { asm: 'nopl (%rax)', bytes: '0f1f4000' },
  { asm: 'nopl (%rax,%rax)', bytes: '0f1f440000' },
  { asm: 'nopw (%rax,%rax)', bytes: '660f1f440000' },
  { asm: 'nopl (%rax)', bytes: '0f1f8000000000' },
  { asm: 'nopl (%rax,%rax)', bytes: '0f1f840000000000' },
  { asm: 'nopw (%rax,%rax)', bytes: '662e0f1f840000000000' },
  { asm: 'nopw (%rax,%rax)', bytes: '66662e0f1f840000000000' },
  { asm: 'nopl (%rdi)', bytes: '0f1f07', before: { rdi: NOWHERE } },
  { asm: 'nop %ecx', bytes: '0f1fc1' },
  { asm: 'endbr64', bytes: 'f30f1efa' },
  { asm: 'lfence', bytes: '0faee8' },
];

const TRAPS: readonly InstructionRow[] = [
  { asm: 'int3', bytes: 'cc', stop: 'breakpoint trap' },
  { asm: 'ud2', bytes: '0f0b', stop: 'invalid opcode' },
];

describe('instructions that do nothing', () => {
  it.each(titled(NOTHING))('%s', (_, row) => {
    expect(outcome(row)).toEqual(stated(row));
  });
});

describe('instructions that stop a run', () => {
  it.each(titled(TRAPS))('%s', (_, row) => {
    expect(outcome(row)).toEqual(stated(row));
  });
});

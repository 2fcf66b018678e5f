import { expect, test } from 'vitest';
import { drawBatch } from '../../../checker/x86/campaign.ts';
import { assemble } from '../../../checker/x86/sequence.ts';
import type { HardwareCpu } from '../../../conformance/hardware/cpu.ts';
import { NoCpu, openCpu } from '../../../conformance/hardware/cpu.ts';
import type { ProgramOutcome } from '../../../conformance/hardware/outcome.ts';
import { item } from '../../../model/core/present.ts';
import { drawPrograms, plainProgram } from './draw.ts';
import { comparisons, exhaustiveDifference } from './exhaustive.ts';
import { programDifference } from './machine.ts';
import { allOpcodes, opcodeDifference } from './opcode.ts';
import type { Ending } from './program.ts';
import { isDefined, runReference } from './reference.ts';

test('the emulator ends drawn programs as the reference CPU does', () => {
  const programs = drawPrograms(2, 200);
  const endings = programs.map((program) => [program, runReference(program)] as const);
  const defined = endings.filter(([, ending]) => isDefined(ending));
  expect(defined.length).toBeGreaterThan(150);
  const differing = defined.map(([program, ending]) => programDifference(program, ending));
  expect(differing.filter((text) => text !== undefined)).toEqual([]);
});

test('programs come to their end, and to stops of each kind', () => {
  const kinds = new Set(
    drawPrograms(3, 400).map((program) => runReference(program).stop.replace(/ ?0x.*/, '')),
  );
  for (const kind of [
    'end',
    'fault unmapped read 8',
    'fault not writable write 8',
    'fault undefined address read 8',
  ])
    expect(kinds).toContain(kind);
  expect([...kinds].some((kind) => kind.startsWith('depends branch'))).toBe(true);
  expect([...kinds].some((kind) => kind.startsWith('depends address'))).toBe(true);
});

test('the decoder reads some opcodes as the opcode map and iced-x86 do', () => {
  const some = allOpcodes((opcode) => opcode % 16 === 7);
  expect(some.length).toBe(32);
  expect(some.map(opcodeDifference).filter((text) => text !== undefined)).toEqual([]);
});

test.each(comparisons())('%s', (name) => {
  expect(exhaustiveDifference(name)).toBeUndefined();
});

/** What the CPU tells as well: an address that faults is of one byte there. */
function isAs(cpu: ProgramOutcome, reference: Ending): boolean {
  const ends: Readonly<Record<string, string>> = {
    exit: 'end',
    int3: 'fault breakpoint',
    ud2: 'fault invalid',
    fetch: 'fault unmapped execute',
  };
  if (!reference.stop.startsWith(ends[cpu.stop] ?? 'fault')) return false;
  if (((cpu.flags ^ reference.flags) & ~reference.open & 0x8d5) !== 0) return false;
  const halves = reference.registers.flatMap((value) => [
    Number(BigInt.asIntN(32, value)),
    Number(BigInt.asIntN(32, value >> 32n)),
  ]);
  const words = new Set(reference.changes.map(([place]) => place >> 3));
  const changed = new Set(
    Array.from({ length: cpu.changes.length / 3 }, (_, i) => item([...cpu.changes], 3 * i)),
  );
  return halves.join() === cpu.registers.join() && [...changed].every((word) => words.has(word));
}

test('the reference CPU ends drawn programs as a CPU does', { timeout: 60_000 }, (ctx) => {
  let cpu: HardwareCpu;
  try {
    cpu = openCpu();
  } catch (error) {
    if (error instanceof NoCpu) return ctx.skip(`no C compiler on x86-64: ${error.message}`);
    throw error;
  }
  const { memory, sequences } = drawBatch(5, 0, 400);
  const outcomes = cpu.run(
    memory,
    sequences.map((sequence) => ({ sequence, program: assemble(sequence) })),
  );
  cpu.close();
  const endings = sequences.map((sequence) => runReference(plainProgram(sequence, memory)));
  const differing = endings.flatMap((ending, i) => (isAs(item(outcomes, i), ending) ? [] : [i]));
  expect(differing).toEqual([]);
});

import { drawBatch } from '../../../checker/x86/campaign.ts';
import { CODE, DATA, LOW, STACK } from '../../../checker/x86/layout.ts';
import type { InstructionSequence } from '../../../checker/x86/sequence.ts';
import { assemble } from '../../../checker/x86/sequence.ts';
import { item } from '../../../model/core/present.ts';
import { drawFlagUse } from './flag-uses.ts';
import type { Program, ProgramPage } from './program.ts';
import { PAGE } from './program.ts';
import { drawSelfModifying } from './self-modifying.ts';
import { drawStackUse } from './stack-uses.ts';
import { all, CONSTANT, MIXED, UNDEFINED } from './tagged.ts';

/** Programs, the same for the same seed: drawn sequences, with origins of their values. */
export function drawPrograms(seed: number, count: number): Program[] {
  const random = generator(seed);
  const programs: Program[] = [];
  for (let first = 0; first < count; first += PER_MEMORY) {
    const own = seed * 7919 + first;
    const { memory, sequences } = drawBatch(own, 0, Math.min(PER_MEMORY, count - first));
    const tags = drawMemoryTags(random, memory.length);
    const plain = new Uint8Array(memory.length).fill(CONSTANT);
    for (const sequence of sequences)
      programs.push(programOf(random, sequence, { memory, tags: random(3) === 0 ? plain : tags }));
  }
  return programs;
}

/** Programs that share their memory at the start. */
const PER_MEMORY = 50;

/** Numbers below a limit (a linear congruential generator, with Knuth's constants for MMIX). */
export type Random = (below: number) => number;

function generator(seed: number): Random {
  let state = BigInt(seed) + 0x9e3779b97f4a7c15n;
  return (below) => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number((state >> 33n) % BigInt(below));
  };
}

/** Words of one origin, and some of several. */
function drawMemoryTags(random: Random, bytes: number): Uint8Array {
  const tags = new Uint8Array(bytes);
  for (let i = 0; i < bytes; i += 8) tags.set(drawTags(random, 60), i);
  return tags;
}

/** The origins of eight bytes; `constant` is the percentage of constant ones. */
function drawTags(random: Random, constant: number): number[] {
  if (random(100) < constant) return all(CONSTANT, 8);
  const group = 1 + random(31);
  const whole = Array.from({ length: 8 }, (_, byte) => group * 8 + byte);
  const kind = random(12);
  if (kind < 6) return whole;
  if (kind === 6) return [...whole.slice(0, 4), ...all(CONSTANT, 4)];
  if (kind === 7) return [...all(CONSTANT, 4), ...whole.slice(4)];
  if (kind === 8) return all(MIXED, 8);
  if (kind === 9) return all(UNDEFINED, 8);
  return whole.map((tag) => (random(2) === 0 ? tag : random(20) === 0 ? UNDEFINED : CONSTANT));
}

interface Contents {
  readonly memory: Uint8Array;
  readonly tags: Uint8Array;
}

function programOf(random: Random, sequence: InstructionSequence, contents: Contents): Program {
  const constant = item([100, 85, 60], random(3));
  const plain = plainProgram({ ...sequence, registers: moved(random, sequence.registers) }, contents.memory);
  const { registers } = sequence;
  const kind = random(40);
  const drawn = { ...plain, pages: drawPages(random) };
  const base =
    kind === 0
      ? changing(random, plain)
      : kind < 8
        ? onFlags(random, drawn)
        : kind < 18
          ? onStack(random, drawn)
          : drawn;
  return {
    ...base,
    tags: contents.tags,
    registerTags: registers.map((_, i) =>
      i === 4 && random(12) > 0 ? all(CONSTANT, 8) : drawTags(random, constant),
    ),
    data: item(['data', 'data', 'low', 'stack'], random(4)),
    strict: random(base === drawn ? 3 : 2) === 0,
    controlGroups: random(2) === 0 ? 0 : random(0x7fffffff) << 1,
  };
}

/** Now and then other registers than those that the sequence was drawn for: it goes where it may. */
function moved(random: Random, registers: readonly bigint[]): readonly bigint[] {
  const kind = random(8);
  if (kind > 1) return registers;
  const by = BigInt(8 * (random(80) - 30));
  if (kind === 0) return registers.with(4, BigInt.asUintN(64, item(registers, 4) + by));
  return registers.with(random(16), item([DATA, STACK, LOW, CODE], random(4)).base + BigInt(random(PAGE)));
}

/** Code that changes itself, in place of what was drawn. */
function changing(random: Random, plain: Program): Program {
  const pages = plain.pages.map((page) => (page.name === 'code' ? { ...page, permission: 7 } : page));
  return { ...withCode(drawSelfModifying(random), plain), pages };
}

/** Code about flags, with small numbers in registers, among them zero. */
function onFlags(random: Random, plain: Program): Program {
  const registers = plain.registers.map((value, i) =>
    i === 4 || random(2) === 0 ? value : BigInt(random(3)),
  );
  const inside = item(plain.pages, 2).base + BigInt(PAGE / 2);
  return { ...withCode(drawFlagUse(random), plain), registers: registers.with(4, inside) };
}

/** Code about memory at its edges. */
function onStack(random: Random, plain: Program): Program {
  const { body, registers } = drawStackUse(random, plain);
  return { ...withCode(body, plain), registers };
}

function withCode(body: Uint8Array, plain: Program): Program {
  const exit = plain.code.subarray(plain.end);
  return { ...plain, code: Uint8Array.from([...body, ...exit]), offsets: [0, body.length], end: body.length };
}

/** A sequence whose values are all constant, as a CPU runs it. */
export function plainProgram(sequence: InstructionSequence, memory: Uint8Array): Program {
  const { code, offsets, end, patches } = assemble(sequence);
  const { registers, flags, gsBase } = sequence;
  return {
    code,
    offsets,
    end,
    registers,
    registerTags: registers.map(() => all(CONSTANT, 8)),
    flags,
    gsBase,
    patches,
    pages: [CODE, DATA, STACK, LOW].map(({ name, base, permission }) => ({
      name,
      base,
      permission,
      writable: PAGE,
    })),
    data: 'data',
    memory,
    tags: new Uint8Array(memory.length).fill(CONSTANT),
    strict: false,
    controlGroups: 0,
  };
}

/** Now and then the code may be written, a page may not, or the end of the stack is its caller's. */
function drawPages(random: Random): ProgramPage[] {
  const kind = random(12);
  return [CODE, DATA, STACK, LOW].map(({ name, base, permission }) => ({
    name,
    base,
    permission:
      kind === 0 && name === 'code'
        ? 7
        : kind === 1 && name === 'low'
          ? 1
          : kind === 2 && name === 'data'
            ? 7
            : permission,
    writable: kind < 4 && name === 'stack' ? 0xf00 : kind === 4 && name === 'data' ? 0x800 : PAGE,
  }));
}

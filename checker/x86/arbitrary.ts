import fc from 'fast-check';
import { ALL_FLAGS } from '../../model/x86/flags.ts';
import { RSP } from '../../model/x86/register.ts';
import { Dice } from './dice.ts';
import { joinPaths, newDraft } from './draft.ts';
import { emitInstruction } from './instruction.ts';
import { PAGE_BYTES, SCRATCH, STACK } from './layout.ts';
import type { Drawn, InstructionSequence } from './sequence.ts';
import { drawStep, TRAPS } from './step.ts';

/** Most steps of a sequence; a step is one instruction with what sets it up. */
const STEPS_MAX = 10;
/** Sequences in a hundred that end with a trap. */
const TRAP_PERCENT = 6;

/**
 * Short programs over every encoding of the table. Drawn in one go from fast-check's random numbers, because
 * what an instruction may do depends on all that came before; a smaller sequence has fewer instructions and
 * prefixes, and starts from zeroes.
 */
class SequenceArbitrary extends fc.Arbitrary<InstructionSequence> {
  generate(random: fc.Random): fc.Value<InstructionSequence> {
    return new fc.Value(drawSequence(new Dice(random)), undefined);
  }

  canShrinkWithoutContext(value: unknown): value is InstructionSequence {
    return typeof value === 'object' && value !== null && 'instructions' in value;
  }

  shrink(value: InstructionSequence): fc.Stream<fc.Value<InstructionSequence>> {
    return fc.stream(simpler(value)).map((sequence) => new fc.Value(sequence, undefined));
  }
}

export const sequences: fc.Arbitrary<InstructionSequence> = new SequenceArbitrary();

function drawSequence(dice: Dice): InstructionSequence {
  const draft = newDraft(dice);
  const registers = draft.known.map((value) => value ?? 0n);
  const { gsBase, instructions, patches } = draft;
  const steps = dice.between(1, STEPS_MAX);
  for (; draft.step < steps && !draft.ended; draft.step++) {
    joinPaths(draft);
    drawStep(draft);
  }
  if (!draft.ended && dice.chance(TRAP_PERCENT)) emitInstruction(draft, dice.oneOf(TRAPS));
  return { instructions, registers, flags: dice.int32() & ALL_FLAGS, gsBase, patches };
}

/** The sequences smaller by one cut, the largest cuts first. */
function* simpler(sequence: InstructionSequence): IterableIterator<InstructionSequence> {
  const { instructions } = sequence;
  for (let cut = instructions.length >> 1; cut >= 1; cut >>= 1)
    for (let from = 0; from + cut <= instructions.length; from += cut)
      yield { ...sequence, instructions: instructions.toSpliced(from, cut) };
  yield* fewerPrefixes(sequence);
  yield* plainerState(sequence);
}

function* fewerPrefixes(sequence: InstructionSequence): IterableIterator<InstructionSequence> {
  const { instructions } = sequence;
  for (const [i, drawn] of instructions.entries()) {
    for (const without of withoutOnePrefix(drawn))
      yield { ...sequence, instructions: instructions.with(i, without) };
  }
}

/** A prefix that is part of the opcode, or that sets the operand size, has to stay. */
function withoutOnePrefix(drawn: Drawn): Drawn[] {
  const { prefixes, encoding, size } = drawn;
  const needed = [encoding.mandatory, size === 2 ? 0x66 : undefined];
  return prefixes.flatMap((prefix, i) =>
    needed.includes(prefix) && prefixes.indexOf(prefix) === i
      ? []
      : [{ ...drawn, prefixes: prefixes.toSpliced(i, 1) }],
  );
}

/** Fewer patches, no flags, and registers at zero; the stack pointer in the middle of the stack. */
function* plainerState(sequence: InstructionSequence): IterableIterator<InstructionSequence> {
  const { patches, flags, gsBase, registers } = sequence;
  for (const i of patches.keys()) yield { ...sequence, patches: patches.toSpliced(i, 1) };
  if (flags !== 0) yield { ...sequence, flags: 0 };
  if (gsBase !== 0n) yield { ...sequence, gsBase: 0n };
  for (const [i, value] of registers.entries()) {
    const plain = i === RSP ? STACK.base + BigInt(PAGE_BYTES / 2) : 0n;
    if (value !== plain) yield { ...sequence, registers: registers.with(i, plain) };
  }
}

/** The scratch memory that some sequences start from, one page after the other. */
class MemoryArbitrary extends fc.Arbitrary<Uint8Array> {
  generate(random: fc.Random): fc.Value<Uint8Array> {
    const dice = new Dice(random);
    const words = new BigUint64Array((SCRATCH.length * PAGE_BYTES) / 8).map(() => dice.word());
    return new fc.Value(new Uint8Array(words.buffer), undefined);
  }

  canShrinkWithoutContext(value: unknown): value is Uint8Array {
    return value instanceof Uint8Array;
  }

  shrink(): fc.Stream<fc.Value<Uint8Array>> {
    return fc.Stream.nil();
  }
}

export const memories: fc.Arbitrary<Uint8Array> = new MemoryArbitrary();

import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import type { Word } from '../../model/x86/word.ts';
import { fromBigInt, fromNumber, toHex, ZERO } from '../../model/x86/word.ts';

/** The arguments of the recorder's calls. */
export interface CallWords {
  /** The argument words in order, as hexadecimal text. */
  readonly slots: readonly string[];
  /** All six argument registers; those without an argument hold zero. */
  readonly registers: readonly Word[];
  readonly registerTexts: readonly string[];
  readonly stack: readonly Word[];
}

const REGISTERS = 6;

const MADE = new Map<TracedFunction, CallWords>();

/** The words of the recorder's call: every argument word has a distinct value. */
export function wordsFor(target: TracedFunction): CallWords {
  const known = MADE.get(target);
  if (known !== undefined) return known;
  const made = makeWords(target);
  MADE.set(target, made);
  return made;
}

function makeWords({ signature, nesting }: TracedFunction): CallWords {
  const registers: Word[] = [];
  const stack: Word[] = [];
  const slots: Word[] = [];
  for (const { size } of signature.args) {
    const count = Math.ceil(size / 8);
    const inMemory = count > 2 || registers.length + count > REGISTERS;
    for (let i = 0; i < count; i++) {
      const value = nesting === 'rec' ? RECURSIONS : argumentValue(slots.length);
      slots.push(value);
      (inMemory ? stack : registers).push(value);
    }
  }
  while (registers.length < REGISTERS) registers.push(ZERO);
  return { slots: slots.map(toHex), registers, registerTexts: registers.map(toHex), stack };
}

/** The recursive function is called with a small number. */
const RECURSIONS = fromNumber(2);

function argumentValue(i: number): Word {
  const value = (0x0101010101010101n * BigInt(0x90 + i)) ^ (0x7700n * BigInt(i));
  return fromBigInt(BigInt.asIntN(64, value));
}

import { groupName, tagName } from '../../model/trampoline/stage/groups.ts';
import type { TaggedWord } from '../../model/x86/origin.ts';
import { tagAt, wholeGroup } from '../../model/x86/origin.ts';
import { toHex } from '../../model/x86/word.ts';
import type { ReturnInContext, ToldProgram, ToldStep } from './image-finding.ts';

/** A word by its origin: `argument word 3`, `0x5 (a constant)`, `bytes 0–3 argument word 7, …`. */
export function wordText({ value, tagLo, tagHi }: TaggedWord): string {
  const whole = wholeGroup(tagLo, tagHi);
  if (whole > 0) return groupName(whole);
  const names = Array.from({ length: 8 }, (_, byte) =>
    tagName(byte < 4 ? tagAt(tagLo, byte) : tagAt(tagHi, byte - 4)),
  );
  if (names.every((name) => name === names[0])) return `${toHex(value)} (${names[0]})`;
  const runs: string[] = [];
  for (let from = 0; from < 8; ) {
    let to = from;
    while (names[to + 1] === names[from]) to++;
    runs.push(`${from === to ? `byte ${from}` : `bytes ${from}–${to}`} ${names[from]}`);
    from = to + 1;
  }
  return runs.join(', ');
}

/** `prog#2 (fexit)`. */
export function programText(program: ToldProgram): string {
  return program === null ? 'no attached program' : `prog#${program.id} (${program.kind})`;
}

/** A program, or a word that points to none. */
export function givenText(given: ToldProgram | TaggedWord): string {
  return given !== null && 'value' in given ? wordText(given) : programText(given);
}

export function stepText(step: ToldStep): string {
  return step.is === 'program' ? programText(step.program) : `the ${step.is}`;
}

export function returnText(wanted: ReturnInContext): string {
  if (wanted.is === 'of a program') return `what ${programText(wanted.program)} returned`;
  return wanted.is === 'zero' ? 'zero' : "the original's return value";
}

import { sampleWord } from '../../../model/trampoline/stage/cells.ts';
import { GROUP_MAX } from '../../../model/x86/origin.ts';
import { toBigInt } from '../../../model/x86/word.ts';

/** The values of different origins differ in every byte, and the bytes of each from one another. */
export function sampleWordDifference(): string | undefined {
  const seen = new Map<number, string>();
  for (let origin = 1; origin <= GROUP_MAX; origin++)
    for (let byte = 0; byte < 8; byte++) {
      const value = Number((toBigInt(sampleWord(origin)) >> BigInt(8 * byte)) & 0xffn);
      const other = seen.get(value);
      if (other !== undefined) return `byte ${byte} of ${origin} is as ${other}`;
      seen.set(value, `byte ${byte} of ${origin}`);
    }
  return undefined;
}

import type { Argument } from '../../model/abi/x86-64.ts';
import { item } from '../../model/core/present.ts';
import type { TaggedWord } from '../../model/x86/origin.ts';
import { tagAt } from '../../model/x86/origin.ts';
import type { StubFinding } from '../finding/stub-finding.ts';

/** The first of the requested bytes with a wrong origin. */
export function wrongByte(
  args: readonly Argument[],
  context: readonly TaggedWord[],
  asked: (byte: number, size: number) => boolean,
  wanted: (i: number, byte: number) => number,
): StubFinding | undefined {
  for (const [i, { size }] of args.entries()) {
    const { tagLo, tagHi } = item(context, i);
    for (let byte = 0; byte < 8; byte++) {
      if (!asked(byte, size)) continue;
      const [expected, observed] = [wanted(i, byte), tagAt(byte < 4 ? tagLo : tagHi, byte % 4)];
      if (observed !== expected) return { is: 'context-byte-differs', slot: i, byte, expected, observed };
    }
  }
  return undefined;
}

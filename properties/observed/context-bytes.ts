import type { Argument } from '../../model/abi/x86-64.ts';
import type { SeenWord } from '../../model/tracepoint/execute-stub.ts';
import { DATA_ORIGIN } from '../../model/tracepoint/execute-stub.ts';
import { CONSTANT, tagAt } from '../../model/x86/origin.ts';
import type { StubFinding } from '../law/stub-law.ts';

/** The first byte, of those that are asked for, which came from somewhere else than it has to. */
export function wrongByte(
  args: readonly Argument[],
  context: readonly SeenWord[],
  asked: (byte: number, size: number) => boolean,
  wanted: (i: number, byte: number) => number,
): StubFinding | undefined {
  for (const [i, { size }] of args.entries()) {
    const { tagLo, tagHi } = context[i]!;
    for (let byte = 0; byte < 8; byte++) {
      if (!asked(byte, size)) continue;
      const tag = tagAt(byte < 4 ? tagLo : tagHi, byte % 4);
      if (tag !== wanted(i, byte))
        return {
          expected: `byte ${byte} of ctx[${i}] is ${sourceName(wanted(i, byte))}`,
          observed: `it is ${sourceName(tag)}`,
        };
    }
  }
  return undefined;
}

function sourceName(tag: number): string {
  if (tag === 0) return 'never written';
  if (tag === CONSTANT) return 'the same for all arguments';
  if (tag < 8) return 'computed';
  const origin = tag >>> 3;
  return origin === DATA_ORIGIN
    ? `byte ${tag & 7} of the data`
    : `byte ${tag & 7} of argument ${origin - DATA_ORIGIN}`;
}

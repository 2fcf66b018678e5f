import { Assembler } from '../../x86/assemble.ts';
import type { Word } from '../../x86/word.ts';
import { plus, toHex } from '../../x86/word.ts';
import { TRACED } from '../plan/symbols.ts';
import type { Emitters } from './stubs.ts';
import { assembleStubs, EMITTERS, emitCaller } from './stubs.ts';

/** The code around an image, and the address of each of its parts. */
export interface Stubs {
  readonly bytes: Uint8Array;
  readonly addresses: Readonly<Record<string, Word>>;
}

/** The stubs at an address, for a traced function: of them, only the caller, which comes first, knows it. */
export function stubsAt(base: Word, traced: Word, emitters: Emitters = EMITTERS): Stubs {
  const { bytes, addresses } = stubsOfAny(base, emitters);
  const caller = new Assembler(base, (symbol) => (symbol === TRACED ? traced : undefined));
  emitCaller(caller);
  const own = bytes.slice();
  own.set(caller.finish().bytes);
  return { bytes: own, addresses };
}

/** Stubs that were assembled before: recorded images have their own stages, most of them with the stubs at one address. */
const ASSEMBLED = new WeakMap<Emitters, Map<string, Stubs>>();

/** The same without a traced function. */
function stubsOfAny(base: Word, emitters: Emitters): Stubs {
  const known = ASSEMBLED.get(emitters) ?? new Map<string, Stubs>();
  ASSEMBLED.set(emitters, known);
  const place = toHex(base);
  let stubs = known.get(place);
  if (stubs === undefined) {
    const { bytes, labels } = assembleStubs(base, emitters);
    const addresses = Object.fromEntries([...labels].map(([name, offset]) => [name, plus(base, offset)]));
    stubs = { bytes, addresses };
    known.set(place, stubs);
  }
  return stubs;
}

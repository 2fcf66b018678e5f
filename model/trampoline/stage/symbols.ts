import type { Resolve } from '../../x86/assembled.ts';
import type { Word } from '../../x86/word.ts';
import { plus } from '../../x86/word.ts';
import { CALL_DEPTH } from '../generate.ts';
import { IMAGE, IMAGE_STRUCT, ORIGINAL, TRACED } from '../plan/symbols.ts';
import { SITE_BYTES, siteOffset } from './install.ts';
import { IMAGE_STRUCT_ADDRESS, PER_CPU_OFFSET, PROGRAMS_MAX, programStructAddress } from './layout.ts';
import type { Stage } from './stage.ts';
import { programStub } from './stubs.ts';

/**
 * Addresses of the symbols of a plan, for functions of `slots` argument words. There are program stubs for up to
 * twelve words; beyond that a program symbol does not resolve.
 */
export function stageSymbols(stage: Stage, slots: number, ibt: boolean): Resolve {
  const symbols = symbolsFor(stage, slots, ibt);
  return (symbol) => symbols.get(symbol);
}

/** The same as a map. */
export function symbolsFor(stage: Stage, slots: number, ibt: boolean): ReadonlyMap<string, Word> {
  return (stage.symbols[slots * 2 + (ibt ? 1 : 0)] ??= collectSymbols(stage, slots, ibt));
}

/** The stage has no kernel: helpers and programs are its stubs, structs are cells. */
function collectSymbols(stage: Stage, slots: number, ibt: boolean): Map<string, Word> {
  const symbols = new Map(Object.entries(stage.stubs));
  for (let id = 0; id <= PROGRAMS_MAX; id++) {
    const stub = stage.stubs[programStub(id, slots)];
    if (stub !== undefined) symbols.set(`prog#${id}`, stub);
    symbols.set(`&prog#${id}`, programStructAddress(id));
    symbols.set(`&prog#${id}->insnsi`, plus(programStructAddress(id), 8));
  }
  symbols.set(IMAGE, stage.layout.image);
  symbols.set(IMAGE_STRUCT, IMAGE_STRUCT_ADDRESS);
  symbols.set(TRACED, stage.layout.traced);
  symbols.set(ORIGINAL, plus(stage.layout.traced, siteOffset(ibt) + SITE_BYTES));
  symbols.set(CALL_DEPTH, { hi: 0, lo: PER_CPU_OFFSET });
  return symbols;
}

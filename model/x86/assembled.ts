import type { Word } from './word.ts';

/** Finds the address of a symbol; undefined leaves a hole that the relocation describes. */
export type Resolve = (symbol: string) => Word | undefined;

/** A field of the bytes that holds a symbol. */
export interface Relocation {
  readonly offset: number;
  readonly symbol: string;
  /** `absolute`: the address itself. `relative`: address minus the end of the instruction. */
  readonly kind: 'absolute' | 'relative';
  /** Bytes. */
  readonly size: number;
  /** Offset of the end of the instruction, from which `relative` counts. */
  readonly end: number;
}

export interface Assembled {
  readonly bytes: Uint8Array;
  readonly relocations: readonly Relocation[];
  readonly labels: ReadonlyMap<string, number>;
}

/** A symbol or label that its field cannot reach; `symbol` names it. */
export class OutOfRange extends Error {
  override name = 'OutOfRange';
  readonly symbol: string;
  constructor(symbol: string) {
    super(`${symbol} is out of reach of its instruction`);
    this.symbol = symbol;
  }
}

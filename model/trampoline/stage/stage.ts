import type { Machine } from '../../x86/machine.ts';
import type { Region } from '../../x86/memory.ts';
import type { Word } from '../../x86/word.ts';
import type { StageLayout } from './layout.ts';

/** Everything that an image needs around it to be run: a machine with stubs, stack and caller. */
export interface Stage {
  readonly machine: Machine;
  readonly layout: StageLayout;
  readonly text: Region;
  readonly traced: Region;
  readonly image: Region;
  readonly stack: Region;
  readonly data: Region;
  /** Addresses of the stubs by name. */
  readonly stubs: Readonly<Record<string, Word>>;
  /** Addresses of all symbols of a plan, by number of argument words and IBT. */
  readonly symbols: Map<string, Word>[];
  /** The same the other way round, by hexadecimal text. */
  readonly names: Map<string, string>[];
  /** The word that enter answers from, by program number: the first of its `struct bpf_prog`. */
  readonly startCells: readonly StageCell[];
  /** The present content of the image's region and of the call site. */
  readonly installed: { imageBytes: number; site: number };
  /** The traced function in the forms that it has had, by the number of its call site's form. */
  readonly sites: Uint8Array[];
  /** Calls that have been laid out, by the places of their arguments. */
  readonly calls: Map<string, PreparedCall>;
}

/** A word of memory. */
export interface StageCell {
  readonly region: Region;
  /** Bytes from its start. */
  readonly offset: number;
}

/** Registers and stack at the caller's `call`: copies of the arena, put back by `beginCall()`. */
export interface PreparedCall {
  readonly registers: Int32Array;
  readonly stack: Int32Array;
}

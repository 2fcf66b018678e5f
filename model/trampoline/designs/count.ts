import type { Locals } from '../../core/part.ts';
import type { BpfWorld } from '../world.ts';

/** The cost of attaching and detaching, as counts: never a time. */
export interface Counts {
  /** Programs that passed the verifier. */
  programLoads: number;
  /** Images that were generated, and how many bytes of text they have. */
  images: number;
  imageBytes: number;
  /** Instructions that were changed in live text, and interrupts by which all CPUs were made to serialise. */
  textPokes: number;
  syncIpis: number;
  /** Records that ftrace walked over. */
  recordVisits: number;
  /** Look-ups of an address in a hash of ftrace, or of the design, that was not empty. */
  hashLookups: number;
  /** Entries that were copied into another hash, or moved there. */
  entriesCopied: number;
}

/** A step of a routine, and what the kernel does in it, evaluated before the step. */
export interface CountRow {
  readonly routine: string;
  readonly id: string;
  readonly count: (k: BpfWorld, locals: Locals) => Partial<Counts>;
}

/** A row, with the locals of its routine by their type. */
export function counted<A>(
  routine: string,
  id: string,
  count: (k: BpfWorld, locals: A) => Partial<Counts>,
): CountRow {
  return { routine, id, count: count as CountRow['count'] };
}

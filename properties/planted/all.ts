import { ABI_PLANTED } from './arguments/abi.ts';
import { PLANTED } from './images/all.ts';
import { TASK_PLANTED } from './interleavings/all.ts';
import { ATTACH_PLANTED } from './sequences/all.ts';
import { PLANTED_STUBS } from './stubs/stubs.ts';

/** The part that a planted bug breaks, which decides the search that looks for it. */
export type PlantedKind = 'images' | 'sequences' | 'interleavings' | 'stubs' | 'arguments';

/** The common fields of all planted bugs. */
interface AnyPlanted {
  readonly name: string;
  readonly sentence: string;
  readonly history?: string | undefined;
  readonly law: { readonly name: string };
}

export const ALL_PLANTED: Readonly<Record<PlantedKind, readonly AnyPlanted[]>> = {
  images: PLANTED,
  sequences: ATTACH_PLANTED,
  interleavings: TASK_PLANTED,
  stubs: PLANTED_STUBS,
  arguments: ABI_PLANTED,
};

import type { ImageId } from '../../model/core/ids.ts';
import type { Flavour } from '../../model/core/part.ts';
import { unreachable } from '../../model/core/unreachable.ts';

/** Somebody who cannot go on, and what for: a lock, a grace period, the reference counter of an image. */
export type Wait = { readonly who: string } & (
  | { readonly is: 'lock'; readonly lock: string; readonly holder: string }
  | { readonly is: 'grace period'; readonly flavour: Flavour; readonly holders: readonly string[] }
  | { readonly is: 'counter'; readonly image: ImageId; readonly refs: number | undefined }
);

/** Who could change that: clients, background work, tasks. */
export function holdersOf(wait: Wait): readonly string[] {
  switch (wait.is) {
    case 'lock':
      return [wait.holder];
    case 'grace period':
      return wait.holders;
    case 'counter':
      return [];
    default:
      return unreachable(wait);
  }
}

import type { ImageId } from '../../model/core/ids.ts';
import type { Flavour } from '../../model/core/part.ts';
import { unreachable } from '../../model/core/unreachable.ts';

/** A blocked actor, and what it waits for: a lock, a grace period, or the reference count of an image. */
export type Wait = { readonly who: string } & (
  | { readonly is: 'lock'; readonly lock: string; readonly holder: string }
  | { readonly is: 'grace period'; readonly flavour: Flavour; readonly holders: readonly string[] }
  | { readonly is: 'counter'; readonly image: ImageId; readonly refs: number | undefined }
);

/** The actors that could end the wait: clients, background work, tasks. */
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

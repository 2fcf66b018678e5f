import { argumentLocationsAreDisjoint } from './abi/argument-locations-are-disjoint.ts';
import { imageCountIsMonotonic } from './abi/image-count-is-monotonic.ts';
import { oneImageServesEachFunction } from './abi/one-image-serves-each-function.ts';
import { prefixSharingNeedsNoMoreImages } from './abi/prefix-sharing-needs-no-more-images.ts';
import { sharingIgnoresOrder } from './abi/sharing-ignores-order.ts';
import { sharingIsSound } from './abi/sharing-is-sound.ts';
import type { AbiLaw } from './law/argument-law.ts';

/** The laws on argument locations and on functions that share an image. */
export const ABI_LAWS: readonly AbiLaw[] = [
  argumentLocationsAreDisjoint,
  oneImageServesEachFunction,
  imageCountIsMonotonic,
  sharingIgnoresOrder,
  prefixSharingNeedsNoMoreImages,
  sharingIsSound,
];

import { eachWordHasItsPlace } from './abi/each-word-has-its-place.ts';
import { moreFunctionsNeedNoFewer } from './abi/more-functions-need-no-fewer.ts';
import { oneImageForEachFunction } from './abi/one-image-for-each-function.ts';
import { orderDoesNotMatter } from './abi/order-does-not-matter.ts';
import { prefixesNeedNoMore } from './abi/prefixes-need-no-more.ts';
import { sharingIsSound } from './abi/sharing-is-sound.ts';
import type { AbiLaw } from './law/argument-law.ts';

/** The laws of where arguments lie, and of functions that share an image. */
export const ABI_LAWS: readonly AbiLaw[] = [
  eachWordHasItsPlace,
  oneImageForEachFunction,
  moreFunctionsNeedNoFewer,
  orderDoesNotMatter,
  prefixesNeedNoMore,
  sharingIsSound,
];

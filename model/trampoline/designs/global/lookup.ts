import { RAX, RCX, RDI, RDX } from '../../../x86/register.ts';
import { fromHex, fromNumber } from '../../../x86/word.ts';
import type { Lookup } from './global-caller.ts';
import { ARRAY, MD } from './kfunc-md-memory.ts';

/* The two ways in which the series finds the metadata of a function, as they are inlined into the caller. */

/** GOLDEN_RATIO_64. */
const GOLDEN_RATIO = fromHex('0x61c8864680b583eb');

/** kfunc_md_get_rcu(): hash_ptr() of the address, and a walk through the list. `rdi` stays as it is. */
export const hashLookup: Lookup = (a) => {
  a.loadFrom(RDX, 'kfunc_mds');
  a.loadConstant(RAX, GOLDEN_RATIO, false);
  a.multiply(RAX, RDI);
  a.loadConstant(RCX, fromNumber(64), false);
  a.subtractLoaded(RCX, RDX, ARRAY.HASH_BITS);
  a.shiftRightByCl(RAX);
  a.loadIndexed(RAX, RDX, RAX, ARRAY.LISTS);
  a.label('next entry');
  a.test(RAX);
  a.jumpIfZeroNear('found');
  a.compareMemory(RAX, MD.FUNC, RDI);
  a.jumpIfZeroNear('found');
  a.load(RAX, RAX, MD.NEXT);
  a.jump('next entry');
  a.label('found');
};

/** Bytes of the metadata of one function, as a power of two. */
const MD_SHIFT = 7;

/** kfunc_md_get() of the first version: the index is before the function, and is not checked. */
export const paddingLookup: Lookup = (a) => {
  a.loadHalf(RAX, RDI, -4);
  a.loadFrom(RDX, 'kfunc_mds');
  a.load(RDX, RDX, ARRAY.MDS);
  a.rotateLeft(RAX, MD_SHIFT);
  a.addRegister(RAX, RDX);
};

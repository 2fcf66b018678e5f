import { item } from '../../model/core/present.ts';
import { PROFILES } from '../../model/core/profile.ts';
import { refuseSignature } from '../../model/trampoline/load-target.ts';
import type { Signature } from '../../model/trampoline/signature.ts';
import { abiSlots, kernelSlots, slotCount } from '../../model/trampoline/signature.ts';

const PROFILE = PROFILES['6.12'];

/** Whether kernels attach to a function, and their generator reads its words where the caller puts them. */
export function hasImage(signature: Signature): boolean {
  if (refuseSignature(signature) !== undefined) return false;
  if (slotCount(signature) > PROFILE.trampolineSlotsMax) return false;
  const read = kernelSlots(signature);
  return abiSlots(signature).every(
    ({ place }, i) => place.in === item(read, i).place.in && place.index === item(read, i).place.index,
  );
}

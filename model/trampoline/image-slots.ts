import type { ArchName } from '../abi/arch.ts';
import { arm64ImageSlots } from '../abi/arm64.ts';
import type { ArgumentSlot } from '../abi/slots.ts';
import type { Errno } from '../core/errno.ts';
import type { Profile } from '../core/profile.ts';
import { refuseSignature } from './load-target.ts';
import type { Signature } from './signature.ts';
import { kernelSlots } from './signature.ts';

/**
 * Where the generator of an architecture expects the words of the arguments, or the errno of attaching to such a
 * function. On x86-32 the weak arch_prepare_bpf_trampoline(), kernel/bpf/trampoline.c, answers ENOTSUPP.
 */
export function imageSlots(
  arch: ArchName,
  signature: Signature,
  profile: Profile,
): readonly ArgumentSlot[] | Errno {
  const errno = refuseSignature(signature);
  if (errno !== undefined) return errno;
  if (arch === 'x86-32') return 'ENOTSUPP';
  if (arch === 'arm64') return arm64ImageSlots(signature.args, profile);
  const slots = kernelSlots(signature);
  return slots.length > profile.trampolineSlotsMax ? 'ENOTSUPP' : slots;
}

import type { Crash } from '../core/crash.ts';
import { entry, present } from '../core/present.ts';
import type { Whereabouts } from '../core/whereabouts.ts';
import { DISPATCHER_IMAGE } from '../dispatcher/dispatcher.ts';
import { PAGE_BYTES, pageAddress } from '../text/space.ts';
import type { TextView } from '../text/text.ts';
import { mnemonicOf } from '../x86/listing.ts';
import type { MachineFault } from '../x86/machine.ts';
import { offsetIn } from '../x86/memory.ts';
import { UnsupportedInstruction } from '../x86/unsupported.ts';
import type { Word } from '../x86/word.ts';
import { displacement, equal } from '../x86/word.ts';
import type { BadAddress } from './c-function.ts';
import { codePlace, whereabouts } from './code-place.ts';
import type { Room } from './machine-room.ts';
import { STACK, STACK_BYTES } from './machine-room.ts';

/**
 * The instruction that the machine refused. A fetch that fails at the very address of the instruction has no
 * branch to blame: when it is the first one after a function in C, the last argument names that
 * function, which returned to memory that is gone.
 */
export function faultOf(
  k: TextView,
  { kind, access, address, size, at: rip }: MachineFault,
  behind = '',
): Crash<'fault'> {
  const from = equal(rip, address) ? behind : '';
  const where = whereabouts(k, rip);
  return { is: 'fault', why: kind, access, place: place(k, address), bytes: size, at: where, behind: from };
}

/** The address that a function in C could not use. */
export function badAddressOf(
  { machine }: Room,
  k: TextView,
  { access, address, why }: BadAddress,
): Crash<'bad address'> {
  return { is: 'bad address', access, place: place(k, address), why, at: whereabouts(k, machine.rip) };
}

/**
 * A place in code or on the stack. The one stack of the running task is the only memory with a name besides
 * code.
 */
function place(k: TextView, address: Word): Whereabouts {
  const offset = displacement(address, STACK);
  const isOnStack = offset !== undefined && offset >= 0 && offset < STACK_BYTES;
  return isOnStack ? { in: 'named', name: 'stack', offset } : whereabouts(k, address);
}

/**
 * What a task crashes of whose instruction the machine does not model: bytes with which no instruction begins raise
 * #UD. For any other it throws the same complaint, with the name that the place has in the state.
 */
export function invalidOpcode(
  { machine }: Room,
  k: TextView,
  { at: address, isInvalid }: UnsupportedInstruction,
): Crash<'fault'> {
  // exc_invalid_op() in arch/x86/kernel/traps.c ends in die(): a crash of the kernel, and thus a finding.
  if (isInvalid)
    return faultOf(k, {
      kind: 'invalid opcode',
      access: 'execute',
      address,
      size: 1,
      at: address,
      region: undefined,
    });
  // A real instruction outside the emulated subset is a limit of the model: no crash, an error that ends the
  // command.
  const region = present(
    machine.regions.find((region) => offsetIn(region, address.hi, address.lo) < region.size),
    'region of the instruction',
  );
  const offset = offsetIn(region, address.hi, address.lo);
  throw new UnsupportedInstruction(
    mnemonicOf(region.bytes.subarray(offset, offset + 15)),
    codePlace(k, address),
    address,
  );
}

/**
 * Whether an address is in a page whose images take turns, as those of the dispatcher, and in Linux 5.6 to 5.11
 * (bpf_trampoline_update(), `tr->selector`): a task that was preempted there may find the middle of another image.
 */
export function isInSharedPage({ text }: TextView, address: Word): boolean {
  const shared = Object.values(text.halves).map(({ page }) => page);
  return [...shared, DISPATCHER_IMAGE].some((page) => {
    if (text.pages[page] === undefined) return false;
    const offset = displacement(address, pageAddress(entry(text.pages, page).at));
    return offset !== undefined && offset >= 0 && offset < PAGE_BYTES;
  });
}

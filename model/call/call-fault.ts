import { PAGE_BYTES, pageAddress } from '../text/space.ts';
import type { TextWorld } from '../text/text.ts';
import type { Fault } from '../x86/machine.ts';
import { offsetIn } from '../x86/memory.ts';
import { UnsupportedInstruction } from '../x86/unsupported.ts';
import type { Word } from '../x86/word.ts';
import { displacement, equal } from '../x86/word.ts';
import type { BadAddress } from './c-function.ts';
import { codePlace, withOffset } from './code-place.ts';
import type { Room } from './machine-room.ts';
import { STACK, STACK_BYTES } from './machine-room.ts';

/** `fetch of 1 byte at page 3: unmapped, at f2+0x4`; the first fetch behind a function in C names that. */
export function describeFault(k: TextWorld, { kind, access, address, size, at }: Fault, behind = ''): string {
  const where = codePlace(k, at);
  if (kind === 'breakpoint trap' || kind === 'invalid opcode') return `${kind} at ${where}`;
  const verb = { read: 'read', write: 'write', execute: 'fetch' }[access];
  const from = behind !== '' && equal(at, address) ? `behind ${behind}` : `at ${where}`;
  return `${verb} of ${size} ${size === 1 ? 'byte' : 'bytes'} at ${place(k, address)}: ${kind}, ${from}`;
}

/** The address that a function in C could not use. */
export function describeBadAddress({ machine }: Room, k: TextWorld, bad: BadAddress): string {
  return `${bad.access} at ${place(k, bad.address)}: ${bad.why}, in ${codePlace(k, machine.rip)}`;
}

/** A place in code or on the stack. */
function place(k: TextWorld, address: Word): string {
  const onStack = displacement(address, STACK);
  const isOnStack = onStack !== undefined && onStack >= 0 && onStack < STACK_BYTES;
  return isOnStack ? withOffset('stack', onStack) : codePlace(k, address);
}

/** The same complaint, with the name that the place has in the state. */
export function withPlace(
  { machine }: Room,
  k: TextWorld,
  { at }: UnsupportedInstruction,
): UnsupportedInstruction {
  const region = machine.regions.find((one) => offsetIn(one, at.hi, at.lo) < one.size)!;
  const offset = offsetIn(region, at.hi, at.lo);
  return new UnsupportedInstruction(region.bytes.subarray(offset, offset + 15), codePlace(k, at), at);
}

/** Whether an address is in a page whose images take turns: what a task finds there may be the middle of another one. */
export function isInSharedPage({ text }: TextWorld, at: Word): boolean {
  return Object.values(text.halves).some(({ page }) => {
    const offset = displacement(at, pageAddress(text.pages[page]!.at));
    return offset !== undefined && offset >= 0 && offset < PAGE_BYTES;
  });
}

import type { SlotPlace } from '../../model/abi/x86-64.ts';

/** An argument, as far as passing it is concerned. */
interface Passed {
  /** Bytes. */
  readonly size: number;
  /** Bytes. */
  readonly alignment: number;
}

const EIGHTBYTE = 8;

/** An aggregate of more eightbytes has class MEMORY, without vector registers. */
const IN_REGISTERS_MOST = 2;

/**
 * The places of the words of arguments by the text of the System V psABI for x86-64, section 3.2.3 (Passing), for the
 * class INTEGER and for MEMORY. The model's own rules are not read: it is the oracle for them.
 *
 * 1. Of each eightbyte the next available register of rdi, rsi, rdx, rcx, r8 and r9 is used.
 * 2. If no register is available for one eightbyte of an argument, the whole argument is passed on the stack, and
 *    registers that were assigned for its eightbytes are available again.
 * 3. Class MEMORY is passed on the stack, at an address that respects its alignment; each argument takes whole
 *    eightbytes.
 */
export function psabiPlaces(args: readonly Passed[]): SlotPlace[] {
  const available = [0, 1, 2, 3, 4, 5];
  const places: SlotPlace[] = [];
  let stackBytes = 0;
  for (const { size, alignment } of args) {
    const eightbytes = Math.ceil(size / EIGHTBYTE);
    const assigned = eightbytes > IN_REGISTERS_MOST ? [] : available.splice(0, eightbytes);
    if (assigned.length === eightbytes) {
      for (const index of assigned) places.push({ in: 'register', index });
      continue;
    }
    available.unshift(...assigned);
    const boundary = Math.max(EIGHTBYTE, alignment);
    stackBytes = Math.ceil(stackBytes / boundary) * boundary;
    for (let word = 0; word < eightbytes; word++, stackBytes += EIGHTBYTE)
      places.push({ in: 'stack', index: stackBytes / EIGHTBYTE });
  }
  return places;
}

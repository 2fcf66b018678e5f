import type { Machine, MachineFault, PlacedFault } from './machine.ts';
import { placedFault } from './machine.ts';

/** One line for a fault: `write of 8 bytes at stack+0x818: not writable`. */
export function faultText({ kind, access, size, place }: PlacedFault): string {
  if (kind === 'breakpoint trap' || kind === 'invalid opcode') return kind;
  const verb = { read: 'read', write: 'write', execute: 'fetch' }[access];
  return `${verb} of ${size === 1 ? '1 byte' : `${size} bytes`} at ${place}: ${kind}`;
}

/** The same of a fault of a machine. */
export function describeFault(m: Machine, fault: MachineFault): string {
  return faultText(placedFault(m, fault));
}

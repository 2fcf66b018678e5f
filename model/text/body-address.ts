import type { FunctionName, Ip } from '../core/ids.ts';

/*
 * Addresses in the bodies of traced functions.
 */

/** `endbr64` at the entry of a function: with IBT the call site comes after it (CONFIG_X86_KERNEL_IBT). */
export const ENDBR_BYTES = 4;

/** The function that an address is in. */
export function functionOf(ip: Ip): FunctionName {
  return isInBody(ip) ? ip.slice(0, ip.indexOf('+')) : ip;
}

/** Whether an address is that of an instruction of a body, and no call site. */
export function isInBody(ip: Ip): boolean {
  return IN_BODY.test(ip);
}

const IN_BODY = /^\w+\+0x[0-9a-f]+$/;

/** The address at an offset from a function's symbol; without one, its call site. */
export function ipAt(fn: FunctionName, offset: number): Ip {
  return offset === 0 ? fn : `${fn}+0x${offset.toString(16)}`;
}

/** The place of a kprobe's int3, from its address. */
export interface ProbedPlace {
  readonly kind: 'probed';
  readonly name: FunctionName;
  readonly offset: number;
}

export function probedAt(ip: Ip): ProbedPlace {
  const name = functionOf(ip);
  return { kind: 'probed', name, offset: Number(ip.slice(name.length + 1)) };
}

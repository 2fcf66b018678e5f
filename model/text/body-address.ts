import type { FunctionName, Ip } from '../core/ids.ts';

/*
 * Addresses in the bodies of traced functions, and what is there. Each body begins, after its call site, with:
 *
 *   +0  53            push %rbx
 *   +1  48 83 ec ..   sub $frame, %rsp
 *   +5  48 89 e3      mov %rsp, %rbx
 */

/** The first byte of each of these instructions, by its offset from the body. */
const OPCODES: Readonly<Record<number, string>> = { 0: '53', 1: '48', 5: '48' };
const PROLOGUE_BYTES = 8;

/**
 * The first byte of the instruction at an offset from the body; undefined: none begins there. What follows differs from
 * function to function, and carries no breakpoint here.
 */
export function opcodeInPrologue(offset: number): string | undefined {
  if (offset >= PROLOGUE_BYTES)
    throw new Error(`a kprobe ${offset} bytes after a call site is not modelled: it is not in the prologue`);
  return OPCODES[offset];
}

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

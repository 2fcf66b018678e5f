import type { Convention } from './slots.ts';

/**
 * Where the kernel passes arguments on x86-32, which is compiled with `-mregparm=3 -freg-struct-return`: in eax, edx and
 * ecx, each as a word or, of 64 bits, as two. An argument that does not fit into the registers that are left goes to the
 * stack and closes them; nothing is aligned on the stack. emit_kfunc_call(), arch/x86/net/bpf_jit_comp32.c, stops
 * giving out registers at the same argument.
 *
 *   f(u32 a, u32 b, u64 c, u32 d)
 *     a eax · b edx · c stack 0, stack 1 · d stack 2        ecx is not used
 */
export const X86_32: Convention = {
  wordBytes: 4,
  registers: 3,
  wordsMost: 3,
  whatIsLeft: 'closed',
  alignedIn: { registers: false, stack: false },
};

/** The argument registers in order. */
export const X86_32_REGISTERS = ['eax', 'edx', 'ecx'] as const;

/** Integers, and structs as long as an integer; the others are returned in memory, to which the caller passes a pointer. */
export function returnedInRegisters({
  size,
  struct,
}: {
  readonly size: number;
  readonly struct: boolean;
}): boolean {
  return !struct || [1, 2, 4, 8].includes(size);
}

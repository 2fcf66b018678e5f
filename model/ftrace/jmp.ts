/**
 * Addresses of direct trampolines that are jumped to (`ftrace_jmp_set()`, include/linux/ftrace.h): the kernel sets
 * the lowest bit of the address, we write `jmp tramp#1` where a called one is `tramp#1`.
 */
export function ftraceJmpSet(address: string): string {
  return ftraceIsJmp(address) ? address : `jmp ${address}`;
}

export function ftraceJmpGet(address: string): string {
  return ftraceIsJmp(address) ? address.slice(4) : address;
}

export function ftraceIsJmp(address: string): boolean {
  return address.startsWith('jmp ');
}

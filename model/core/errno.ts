/*
 * A client sees a negative int; the model has the name. The number matters where two kernels give different
 * names to one answer: EWOULDBLOCK is EAGAIN, and ENOTSUPP (524) is internal to the kernel but reaches clients
 * that attach BPF programs, whose library prints it as unknown.
 */

/** The error numbers that the modelled calls answer with, by name (include/uapi/asm-generic/errno*.h). */
export const ERRNO = {
  EPERM: 1,
  ENOENT: 2,
  ESRCH: 3,
  E2BIG: 7,
  EBADF: 9,
  EAGAIN: 11,
  ENOMEM: 12,
  EACCES: 13,
  EFAULT: 14,
  EBUSY: 16,
  EEXIST: 17,
  ENODEV: 19,
  EINVAL: 22,
  ENOSPC: 28,
  ERANGE: 34,
  EILSEQ: 84,
  EOPNOTSUPP: 95,
  ENOTSUPP: 524,
} as const;

export type Errno = keyof typeof ERRNO;

/** The name of a positive errno, or its number as text when we have no name for it. */
export function errnoName(number: number): string {
  return Object.entries(ERRNO).find(([, value]) => value === number)?.[0] ?? String(number);
}

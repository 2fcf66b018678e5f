import type { Errno } from '../../model/core/errno.ts';
import { ERRNO } from '../../model/core/errno.ts';
import { InputError } from '../../model/core/input-error.ts';
import { nearest } from '../../model/core/nearest.ts';

/** The texts of strerror(). No libc has a text for ENOTSUPP, which is internal to the kernel. */
export const STRERROR: Readonly<Record<Errno, string>> = {
  EPERM: 'Operation not permitted',
  ENOENT: 'No such file or directory',
  ESRCH: 'No such process',
  E2BIG: 'Argument list too long',
  EBADF: 'Bad file descriptor',
  EAGAIN: 'Resource temporarily unavailable',
  ENOMEM: 'Cannot allocate memory',
  EACCES: 'Permission denied',
  EFAULT: 'Bad address',
  EBUSY: 'Device or resource busy',
  EEXIST: 'File exists',
  ENODEV: 'No such device',
  EINVAL: 'Invalid argument',
  ENOSPC: 'No space left on device',
  ERANGE: 'Numerical result out of range',
  EILSEQ: 'Invalid or incomplete multibyte or wide character',
  EOPNOTSUPP: 'Operation not supported',
  ENOTSUPP: 'Unknown error 524',
};

const NAMES = Object.keys(ERRNO) as Errno[];

/** An errno in any form of a log or a program: `EBUSY`, `-EBUSY`, `16`, `-16`, `Device or resource busy`. */
export function errnoAsked(word: string): Errno {
  const own = word.trim().toLowerCase().replace(/^-/, '');
  const found = NAMES.find((name) => spellings(name).includes(own));
  if (found !== undefined) return found;
  throw new InputError(`errno ${word}: no modelled call answers it; ${nearby(own)}`, word);
}

function spellings(name: Errno): string[] {
  return [name, String(ERRNO[name]), STRERROR[name]].map((spelling) => spelling.toLowerCase());
}

/** The errnos that were probably meant: of a number its neighbours. */
function nearby(own: string): string {
  if (/^\d+$/.test(own)) return `there are ${neighbours(Number(own)).map(spelled).join(' and ')}`;
  const meant = nearest(own, NAMES.flatMap(spellings));
  const name = NAMES.find((item) => meant !== undefined && spellings(item).includes(meant));
  return name === undefined ? `there are ${NAMES.join(', ')}` : `did you mean ${spelled(name)}?`;
}

function neighbours(number: number): Errno[] {
  const below = NAMES.findLast((name) => ERRNO[name] < number);
  const above = NAMES.find((name) => ERRNO[name] > number);
  return [below, above].filter((name) => name !== undefined);
}

/** `EBUSY (16, "Device or resource busy")`. */
export function spelled(name: Errno): string {
  return `${name} (${ERRNO[name]}, "${STRERROR[name]}")`;
}

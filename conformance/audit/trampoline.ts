import type { Audit } from './row.ts';
import { LINKING } from './trampoline-link.ts';
import { MULTI_LINKS } from './trampoline-multi.ts';
import { SHIMS } from './trampoline-shim.ts';
import { UPDATING } from './trampoline-update.ts';

export const TRAMPOLINE: Audit = {
  file: 'kernel/bpf/trampoline.c',
  functions: [...LINKING, ...UPDATING, ...MULTI_LINKS, ...SHIMS],
};

import type { Audit } from './row.ts';
import { ALL, modelled, returns } from './row.ts';

/** Entry code, which the model has as machine code of its own (model/ftrace/entry). */
export const FTRACE_64: Audit = {
  file: 'arch/x86/kernel/ftrace_64.S',
  functions: [
    {
      fn: 'ftrace_stub',
      in: ALL,
      rows: [returns(ALL, 'all of it: it returns', modelled('ftrace_stub: return'))],
    },
  ],
};

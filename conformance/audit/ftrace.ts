import { DIRECT_CALLS } from './ftrace-direct.ts';
import { FTRACE_DIRECT_CHANGE } from './ftrace-direct-change.ts';
import { FTRACE_FILTER } from './ftrace-filter.ts';
import { FTRACE_FILTER_FILE } from './ftrace-filter-file.ts';
import { FTRACE_REGISTER } from './ftrace-register.ts';
import { FTRACE_TABLES } from './ftrace-tables.ts';
import { FTRACE_UPDATE } from './ftrace-update.ts';
import type { Audit } from './row.ts';

export const FTRACE: Audit = {
  file: 'kernel/trace/ftrace.c',
  functions: [
    ...FTRACE_REGISTER,
    ...FTRACE_FILTER,
    ...FTRACE_FILTER_FILE,
    ...FTRACE_UPDATE,
    ...DIRECT_CALLS,
    ...FTRACE_DIRECT_CHANGE,
    ...FTRACE_TABLES,
  ],
};

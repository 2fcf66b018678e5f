import { PLANTED_ANSWERS } from './answers.ts';
import { PLANTED_CALLS } from './calls.ts';
import { PLANTED_DESIGNS } from './designs.ts';
import { PLANTED_DISPATCHERS } from './dispatcher.ts';
import { PLANTED_ERRNOS } from './errnos.ts';
import { PLANTED_EXTENSIONS } from './extensions.ts';
import { PLANTED_FPROBES } from './fprobes.ts';
import { PLANTED_GRAPH_USERS } from './graph-users.ts';
import { PLANTED_KPROBE_FIXES } from './kprobes.ts';
import { PLANTED_LEAKS } from './leaks.ts';
import { PLANTED_LIFETIMES } from './lifetimes.ts';
import { PLANTED_LINKS } from './links.ts';
import { PLANTED_LOCK_RULES } from './locks.ts';
import { PLANTED_MODULES } from './modules.ts';
import type { AttachPlanted } from './planted.ts';
import { PLANTED_PROGRAMS } from './programs.ts';
import { PLANTED_RECORDS } from './records.ts';
import { PLANTED_BITS } from './recursion.ts';
import { PLANTED_RETURNS } from './returns.ts';
import { PLANTED_SHIMS } from './shims.ts';
import { PLANTED_SUBOPS } from './subops.ts';
import { PLANTED_TARGETS } from './targets.ts';
import { PLANTED_HITS } from './tracepoints.ts';
import { PLANTED_WAITS } from './waits.ts';

/** The planted bugs in the kernel's routines. */
export const ATTACH_PLANTED: readonly AttachPlanted[] = [
  ...PLANTED_RECORDS,
  ...PLANTED_LIFETIMES,
  ...PLANTED_GRAPH_USERS,
  ...PLANTED_SUBOPS,
  ...PLANTED_KPROBE_FIXES,
  ...PLANTED_FPROBES,
  ...PLANTED_LINKS,
  ...PLANTED_LEAKS,
  ...PLANTED_EXTENSIONS,
  ...PLANTED_TARGETS,
  ...PLANTED_SHIMS,
  ...PLANTED_MODULES,
  ...PLANTED_CALLS,
  ...PLANTED_PROGRAMS,
  ...PLANTED_BITS,
  ...PLANTED_RETURNS,
  ...PLANTED_ANSWERS,
  ...PLANTED_DESIGNS,
  ...PLANTED_HITS,
  ...PLANTED_DISPATCHERS,
  ...PLANTED_ERRNOS,
  ...PLANTED_LOCK_RULES,
  ...PLANTED_WAITS,
];

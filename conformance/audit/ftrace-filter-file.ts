import { FIRST_FAILURE, TRACING_FILES } from './reasons.ts';
import type { AuditedFunction } from './row.ts';
import { ALL, allocates, gotos, locks, modelled, omitted, returns } from './row.ts';

/** set_ftrace_filter and set_ftrace_notrace of tracefs, kernel/trace/ftrace.c. */
export const FTRACE_FILTER_FILE: readonly AuditedFunction[] = [
  {
    fn: 'ftrace_regex_open',
    in: ALL,
    rows: [
      returns(ALL, 'ENODEV: ftrace is dead', modelled('ftrace_regex_write: ftrace is dead')),
      returns(ALL, 'ENODEV: the instance is gone', omitted(TRACING_FILES)),
      gotos(ALL, 'out, with a WARN: the instance has no ops', omitted(TRACING_FILES)),
      allocates(ALL, 'the iterator and its parser, ENOMEM', omitted(FIRST_FAILURE)),
      locks(ALL, 'regex_lock of the hashes: the copy', modelled('ftrace_regex_write: lock')),
      allocates(
        ALL,
        'the private hash, a copy or an empty one; out_unlock with ENOMEM',
        modelled('ftrace_regex_write: allocate the private hash'),
      ),
    ],
  },
  {
    fn: 'ftrace_regex_write',
    in: ALL,
    rows: [
      returns(ALL, 'ENODEV: ftrace has died since open()', omitted(TRACING_FILES)),
      gotos(
        ALL,
        'out, EINVAL of ftrace_process_regex(): no function matches; close() follows',
        modelled('ftrace_regex_write: no function matches', 'ftrace_regex_write: roll back'),
      ),
    ],
  },
  {
    fn: 'ftrace_regex_release',
    in: ALL,
    rows: [
      locks(
        ALL,
        'regex_lock of the hashes: the private hash becomes the current one',
        modelled('ftrace_regex_write: lock (2)', 'ftrace_regex_write: lock (3)'),
      ),
      locks(
        ALL,
        'ftrace_lock: the same; the errno is dropped',
        modelled('ftrace_regex_write: lock ftrace_lock', 'ftrace_regex_write: lock ftrace_lock (2)'),
      ),
    ],
  },
];

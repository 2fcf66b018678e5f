import type { UnplannedFigures } from './unplanned-board.ts';

/** What the laws alone find, by the fault's name: a table, which `npm run faults` writes. */
export const UNPLANNED_MEASURED: Readonly<Record<string, UnplannedFigures>> = {
  'direct-mode-before-the-user': {
    law: 'task/probes-see-old-or-new',
    draws: 92,
    unit: 'scenario',
  },
  'second-probe-before-the-iterator': {
    law: 'tracepoint/probes-get-their-own-data',
    draws: 70,
    unit: 'scenario',
  },
  'only-the-first-breakpoint-of-a-batch': {
    law: 'task/no-torn-instruction',
    draws: 86,
    unit: 'scenario',
  },
  'one-frame-too-many': {
    law: 'ftrace/overruns-are-counted',
    draws: 481,
    unit: 'sequence',
  },
  'overrun-is-forgotten': {
    law: 'ftrace/probes-fire-exactly-once',
    draws: 81,
    unit: 'sequence',
  },
  'notrace-of-users-is-the-union': {
    law: 'ftrace/success-means-attached',
    draws: 681,
    unit: 'sequence',
  },
  'last-user-sees-no-return': {
    law: 'ftrace/probes-fire-exactly-once',
    draws: 594,
    unit: 'sequence',
  },
  'cookie-of-the-program': {
    law: 'ftrace/programs-get-their-cookie-and-function-ip',
    draws: 547,
    unit: 'sequence',
  },
  'wrong-errno-of-direct-add': {
    law: 'ftrace/refusals-have-their-errno',
    draws: 802,
    unit: 'sequence',
  },
  'registers-close-after-the-stack': {
    law: 'trampoline/arguments-reach-the-original',
    draws: 21,
    unit: 'combination',
  },
  'sessions-count-once': {
    law: 'trampoline/image-matches-attached-programs',
    draws: 1182,
    unit: 'sequence',
  },
  'fprobe-of-either-kind-keeps-the-function': {
    law: 'ftrace/independent-operations-commute',
    draws: 1088,
    unit: 'sequence',
  },
  'kprobe-joins-unarmed': {
    law: 'ftrace/user-counts-match-users',
    draws: 1,
    unit: 'sequence',
  },
  'regs-are-never-cleared': {
    law: 'ftrace/record-flags-match-ops',
    draws: 97,
    unit: 'sequence',
  },
  'failed-program-stays-in-the-list': {
    law: 'trampoline/image-matches-attached-programs',
    draws: 8,
    unit: 'sequence',
  },
};

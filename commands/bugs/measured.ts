import type { BugFigures } from './measure.ts';

/** How soon each historical bug is found, by its name, long on purpose: a table, which `npm run bugs` writes. */
export const MEASURED: Readonly<Record<string, BugFigures>> = {
  'fexit-with-a-live-patch': {
    random: {
      found: 20,
      of: 20,
      median: 18,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 99,
      depth: 3,
    },
    shortest: 3,
  },
  'modify-bypasses-a-live-patch': {
    random: {
      found: 20,
      of: 20,
      median: 1,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 734,
      depth: 39,
    },
    shortest: 39,
  },
  'direct-functions-changes-in-use': {
    random: {
      found: 20,
      of: 20,
      median: 22,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 322,
      depth: 21,
    },
    shortest: 21,
  },
  'direct-add-without-ftrace-lock': {
    random: {
      found: 20,
      of: 20,
      median: 9,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 35,
      depth: 6,
    },
    shortest: 6,
  },
  'direct-del-leaks-the-old-table': {
    random: {
      found: 20,
      of: 20,
      median: 6,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 6,
      depth: 2,
    },
    shortest: 2,
  },
  'direct-mod-repatches-all-sites': {
    random: {
      found: 20,
      of: 20,
      median: 140,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 18,
      depth: 2,
    },
    shortest: 2,
  },
  'direct-functions-is-freed-in-a-lookup': {
    random: {
      found: 20,
      of: 20,
      median: 187,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 398,
      depth: 28,
    },
    shortest: 28,
  },
  'ops-is-initialised-by-two': {
    random: {
      found: 20,
      of: 20,
      median: 10,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 262,
      depth: 34,
    },
    shortest: 34,
  },
  'ops-is-freed-after-ftrace-bug': {
    random: {
      found: 20,
      of: 20,
      median: 13,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 52,
      depth: 2,
    },
    shortest: 2,
  },
  'refused-direct-call-keeps-its-entries': {
    random: {
      found: 20,
      of: 20,
      median: 40,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 95,
      depth: 3,
    },
    shortest: 3,
  },
  'direct-addr-is-not-restored': {
    random: {
      found: 15,
      of: 20,
      median: 1406,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 79,
      depth: 3,
    },
    shortest: 3,
  },
  'descriptor-keeps-the-old-address': {
    random: {
      found: 20,
      of: 20,
      median: 89,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 15,
      depth: 3,
    },
    shortest: 3,
  },
  'direct-entry-is-never-freed': {
    random: {
      found: 20,
      of: 20,
      median: 5,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 7,
      depth: 2,
    },
    shortest: 2,
  },
  'modify-locks-direct-mutex-twice': {
    random: {
      found: 20,
      of: 20,
      median: 1,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 2,
      depth: 1,
    },
    shortest: 1,
  },
  'dispatcher-pokes-a-site-of-ftrace': {
    random: {
      found: 0,
      of: 5,
      median: null,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 480,
      depth: 3,
    },
    shortest: 3,
  },
  'half-is-written-under-a-cpu': {
    random: {
      found: 13,
      of: 20,
      median: 1340,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 16748,
      depth: 176,
    },
    shortest: 176,
  },
  'tramp-flag-of-a-leaving-ops': {
    random: {
      found: 19,
      of: 20,
      median: 447,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 2151,
      depth: 4,
    },
    shortest: 4,
  },
  'slow-path-for-the-last-ops': {
    random: {
      found: 20,
      of: 20,
      median: 7,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 103,
      depth: 3,
    },
    shortest: 3,
  },
  'module-records-lack-regs': {
    random: {
      found: 20,
      of: 20,
      median: 1,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 11,
      depth: 10,
    },
    shortest: 10,
  },
  'subops-counts-are-wrong': {
    random: {
      found: 10,
      of: 20,
      median: null,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 169,
      depth: 4,
    },
    shortest: 4,
  },
  'notrace-of-subops-is-lost': {
    random: {
      found: 20,
      of: 20,
      median: 3,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 78,
      depth: 11,
    },
    shortest: 11,
  },
  'text-poke-array-is-not-sorted': {
    random: {
      found: 20,
      of: 20,
      median: 37,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 133,
      depth: 24,
    },
    shortest: 24,
  },
  'rude-rcu-skips-a-cpu': {
    random: {
      found: 20,
      of: 20,
      median: 77,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 273,
      depth: 33,
    },
    shortest: 33,
  },
  'interrupt-sees-the-bit-of-a-task': {
    random: {
      found: 20,
      of: 20,
      median: 3,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 53,
      depth: 10,
    },
    shortest: 10,
  },
  'direct-mode-is-never-restored': {
    random: {
      found: 20,
      of: 20,
      median: 214,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 6,
      depth: 3,
    },
    shortest: 3,
  },
  'graph-user-is-read-twice': {
    random: {
      found: 20,
      of: 20,
      median: 200,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 259,
      depth: 20,
    },
    shortest: 20,
  },
  'refused-graph-user-keeps-its-notifier': {
    random: {
      found: 20,
      of: 20,
      median: 50,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 2,
      depth: 2,
    },
    shortest: 2,
  },
  'post-handler-is-cleared': {
    random: {
      found: 18,
      of: 20,
      median: 866,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 138,
      depth: 4,
    },
    shortest: 4,
  },
  'disabled-kprobe-is-disarmed-again': {
    random: {
      found: 20,
      of: 20,
      median: 199,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 25,
      depth: 2,
    },
    shortest: 2,
  },
  'kprobe-module-goes-while-it-is-armed': {
    random: {
      found: 20,
      of: 20,
      median: 44,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 106,
      depth: 14,
    },
    shortest: 14,
  },
  'kretprobe-is-registered-again': {
    random: {
      found: 20,
      of: 20,
      median: 78,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 4,
      depth: 2,
    },
    shortest: 2,
  },
  'pool-goes-before-the-ops': {
    random: {
      found: 20,
      of: 20,
      median: 3,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 25,
      depth: 6,
    },
    shortest: 6,
  },
  'exit-handler-outlives-its-fprobe': {
    random: {
      found: 20,
      of: 20,
      median: 473,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 908,
      depth: 51,
    },
    shortest: 51,
  },
  'fprobe-keeps-the-recursion-bit': {
    random: {
      found: 20,
      of: 20,
      median: 1,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 4,
      depth: 2,
    },
    shortest: 2,
  },
  'pool-has-no-nodes': {
    random: {
      found: 20,
      of: 20,
      median: 2,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 8,
      depth: 2,
    },
    shortest: 2,
  },
  'entry-data-overflows-its-node': {
    random: {
      found: 20,
      of: 20,
      median: 81,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 8,
      depth: 2,
    },
    shortest: 2,
  },
  'failed-fprobe-stays-in-the-table': {
    random: {
      found: 20,
      of: 20,
      median: 37,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 53,
      depth: 2,
    },
    shortest: 2,
  },
  'fprobe-unregister-fails-without-memory': {
    random: {
      found: 20,
      of: 20,
      median: 71,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 91,
      depth: 3,
    },
    shortest: 3,
  },
  'fprobe-of-the-other-kind': {
    random: {
      found: 2,
      of: 20,
      median: null,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 1986,
      depth: 5,
    },
    shortest: 5,
  },
  'fprobe-ops-traces-everything': {
    random: {
      found: 20,
      of: 20,
      median: 190,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 9,
      depth: 2,
    },
    shortest: 2,
  },
  'registered-fprobe-is-initialised-again': {
    random: {
      found: 20,
      of: 20,
      median: 48,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 4,
      depth: 2,
    },
    shortest: 2,
  },
  'fgraph-data-is-not-terminated': {
    random: {
      found: 20,
      of: 20,
      median: 342,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 129,
      depth: 3,
    },
    shortest: 3,
  },
  'fprobe-entry-follows-null': {
    random: {
      found: 20,
      of: 20,
      median: 81,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 83,
      depth: 11,
    },
    shortest: 11,
  },
  'optimised-kprobe-overlaps-a-disarmed-one': {
    random: {
      found: 20,
      of: 20,
      median: 2,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 49,
      depth: 9,
    },
    shortest: 9,
  },
  'static-call-meets-the-data-of-another': {
    random: {
      found: 20,
      of: 20,
      median: 37,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 294,
      depth: 16,
    },
    shortest: 16,
  },
  'raw-tracepoint-recursion': {
    random: {
      found: 20,
      of: 20,
      median: 23,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 103,
      depth: 12,
    },
    shortest: 12,
  },
  'raw-tracepoint-link-goes-early': {
    random: {
      found: 20,
      of: 20,
      median: 40,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 617,
      depth: 33,
    },
    shortest: 33,
  },
  'image-half-is-reused': {
    random: {
      found: 20,
      of: 20,
      median: 2,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 331,
      depth: 39,
    },
    shortest: 39,
  },
  'shim-without-references': {
    random: {
      found: 1,
      of: 20,
      median: null,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 659,
      depth: 5,
    },
    shortest: 5,
  },
  'exit-of-a-noreturn-function': {
    random: {
      found: 20,
      of: 20,
      median: 20,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 2561,
      depth: 98,
    },
    shortest: 98,
  },
  'multi-trampoline-is-not-managed': {
    random: {
      found: 20,
      of: 20,
      median: 1,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 1056,
      depth: 31,
    },
    shortest: 31,
  },
  'entry-link-after-a-multi-link': {
    random: {
      found: 20,
      of: 20,
      median: 1,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 30,
      depth: 20,
    },
    shortest: 20,
  },
  'selector-advances-on-failure': {
    random: {
      found: 20,
      of: 20,
      median: 1,
      unit: 'combination',
      within: 20000,
    },
    exhaustive: {
      found: true,
      states: 1,
      depth: 2,
    },
    shortest: 2,
  },
  'image-of-a-refused-attach': {
    random: {
      found: 20,
      of: 20,
      median: 45,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 208,
      depth: 3,
    },
    shortest: 3,
  },
  'modify-return-of-a-program': {
    random: {
      found: 20,
      of: 20,
      median: 60,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 13,
      depth: 2,
    },
    shortest: 2,
  },
  'exit-code-of-a-tracing-program': {
    random: {
      found: 20,
      of: 20,
      median: 388,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 11,
      depth: 2,
    },
    shortest: 2,
  },
  'attach-again-without-a-target': {
    random: {
      found: 20,
      of: 20,
      median: 51,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 78,
      depth: 3,
    },
    shortest: 3,
  },
  'program-is-put-twice': {
    random: {
      found: 20,
      of: 20,
      median: 9,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 78,
      depth: 3,
    },
    shortest: 3,
  },
  'run-context-is-saved-late': {
    random: {
      found: 20,
      of: 20,
      median: 1,
      unit: 'combination',
      within: 20000,
    },
    exhaustive: {
      found: true,
      states: 1,
      depth: 2,
    },
    shortest: 2,
  },
  'exit-is-not-called-on-recursion': {
    random: {
      found: 20,
      of: 20,
      median: 23,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 15967,
      depth: 66,
    },
    shortest: 66,
  },
  'detached-program-is-called': {
    random: {
      found: 20,
      of: 20,
      median: 4,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 1228,
      depth: 83,
    },
    shortest: 83,
  },
  'program-is-freed-under-an-image': {
    random: {
      found: 11,
      of: 20,
      median: 1988,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 1650,
      depth: 91,
    },
    shortest: 91,
  },
  'image-goes-although-its-site-stays': {
    random: {
      found: 20,
      of: 20,
      median: 6,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 401,
      depth: 22,
    },
    shortest: 22,
  },
  'multi-attach-frees-a-live-image': {
    random: {
      found: 20,
      of: 20,
      median: 386,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: false,
      states: 5002,
      depth: 2,
      bound: 'states',
    },
    shortest: 5,
  },
  'ipmodify-rule-of-locks': {
    random: {
      found: 20,
      of: 20,
      median: 3,
      unit: 'schedule',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 24,
      depth: 4,
    },
    shortest: 4,
  },
  'int128-stack-size': {
    random: {
      found: 20,
      of: 20,
      median: 18,
      unit: 'combination',
      within: 20000,
    },
    exhaustive: {
      found: true,
      states: 7633,
      depth: 2,
    },
    shortest: 2,
  },
  'stack-arguments': {
    random: {
      found: 20,
      of: 20,
      median: 4,
      unit: 'combination',
      within: 20000,
    },
    exhaustive: {
      found: true,
      states: 2081,
      depth: 2,
    },
    shortest: 2,
  },
  'arguments-stored-by-width': {
    random: {
      found: 20,
      of: 20,
      median: 2,
      unit: 'combination',
      within: 20000,
    },
    exhaustive: {
      found: true,
      states: 2873,
      depth: 2,
    },
    shortest: 2,
  },
  'size-pass-has-another-image': {
    random: {
      found: 20,
      of: 20,
      median: 2,
      unit: 'combination',
      within: 20000,
    },
    exhaustive: {
      found: true,
      states: 35021,
      depth: 2,
    },
    shortest: 2,
  },
  'frame-of-a-struct-ops-member': {
    random: {
      found: 20,
      of: 20,
      median: 21,
      unit: 'combination',
      within: 20000,
    },
    exhaustive: {
      found: true,
      states: 119821,
      depth: 2,
    },
    shortest: 2,
  },
  'wide-return-value': {
    random: {
      found: 20,
      of: 20,
      median: 1015,
      unit: 'combination',
      within: 20000,
    },
    exhaustive: {
      found: true,
      states: 35291,
      depth: 2,
    },
    shortest: 2,
  },
  'entry-before-endbr': {
    random: {
      found: 20,
      of: 20,
      median: 3,
      unit: 'combination',
      within: 20000,
    },
    exhaustive: {
      found: true,
      states: 35022,
      depth: 2,
    },
    shortest: 2,
  },
  'kprobe-multi-ip': {
    random: {
      found: 20,
      of: 20,
      median: 73,
      unit: 'sequence',
      within: 2000,
    },
    exhaustive: {
      found: true,
      states: 129,
      depth: 3,
    },
    shortest: 3,
  },
  'displacement-without-the-accounting': {
    random: {
      found: 20,
      of: 20,
      median: 7,
      unit: 'combination',
      within: 20000,
    },
    exhaustive: {
      found: true,
      states: 5,
      depth: 2,
    },
    shortest: 2,
  },
  'tail-call-counter-restarts': {
    random: {
      found: 20,
      of: 20,
      median: 8,
      unit: 'combination',
      within: 20000,
    },
    exhaustive: {
      found: true,
      states: 31,
      depth: 2,
    },
    shortest: 2,
  },
  'return-of-a-struct-ops-member': {
    random: {
      found: 20,
      of: 20,
      median: 17,
      unit: 'combination',
      within: 20000,
    },
    exhaustive: {
      found: true,
      states: 119821,
      depth: 2,
    },
    shortest: 2,
  },
  'return-thunk': {
    random: {
      found: 20,
      of: 20,
      median: 2,
      unit: 'combination',
      within: 20000,
    },
    exhaustive: {
      found: true,
      states: 5,
      depth: 2,
    },
    shortest: 2,
  },
  'argument-models-of-a-set': {
    random: {
      found: 20,
      of: 20,
      median: 48,
      unit: 'sample',
      within: 20000,
    },
    exhaustive: null,
    shortest: 2,
  },
};

/** A drawn scenario that shows a planted bug: its seed, and its number in the draw, from 1. */
export interface DrawnPlanted {
  readonly seed: number;
  readonly scenario: number;
}

/** Schedules of each drawn scenario, at most. */
export const SCHEDULES = 400;

/** Planted bugs, by the first scenario found to show them within a few hundred random schedules. */
export const DRAWN_PLANTED: Readonly<Record<string, DrawnPlanted>> = {
  'no-sync-after-int3': { seed: 1, scenario: 3 },
  'no-sync-after-tails': { seed: 1, scenario: 5 },
  'no-breakpoint': { seed: 1, scenario: 3 },
  'no-sync-after-heads': { seed: 1, scenario: 2 },
  'batch-is-retired-with-the-heads': { seed: 1, scenario: 2 },
  'batch-is-not-sorted': { seed: 1, scenario: 10 },
  'kprobe-is-disarmed-without-a-sync': { seed: 2, scenario: 12 },
  'kprobe-is-armed-without-a-sync': { seed: 2, scenario: 21 },
  'image-is-freed-at-once': { seed: 1, scenario: 9 },
  'counter-is-not-waited-for': { seed: 2, scenario: 19 },
  'rcu-tasks-trace-for-the-counter': { seed: 2, scenario: 19 },
  'no-rcu-tasks-after-the-counter': { seed: 2, scenario: 19 },
  'rcu-after-the-counter': { seed: 2, scenario: 19 },
  'rude-after-the-counter': { seed: 2, scenario: 19 },
  'only-rude': { seed: 1, scenario: 10 },
  'rcu-for-the-trampoline': { seed: 1, scenario: 10 },
  'ops-is-not-waited-for': { seed: 1, scenario: 10 },
  'kprobe-is-not-waited-for': { seed: 1, scenario: 3 },
  'fprobe-is-not-waited-for': { seed: 1, scenario: 24 },
  'fprobe-goes-before-its-ops': { seed: 1, scenario: 10 },
  'old-hash-is-freed-at-once': { seed: 1, scenario: 15 },
  'registrations-overlap': { seed: 1, scenario: 9 },
  'busy-lock-is-not-waited-for': { seed: 1, scenario: 12 },
  'replaced-image-is-never-freed': { seed: 1, scenario: 8 },
  'hash-add-waits-for-rcu-tasks': { seed: 1, scenario: 20 },
  'interrupt-runs-its-program-again': { seed: 1, scenario: 8 },
  'skipped-program-stays-active': { seed: 1, scenario: 36 },
};

const WINDOW =
  'a task has to be within a few instructions while one image is replaced and another grace period elapses';
const OVERRIDDEN =
  'only a function that does not return shows it, with an exit program and a call: few have all three';
const SHARED = 'two clients have to use one ops; drawn ones share no object';
const UNLIKELY =
  'an ops without a filter has to be registered while a module is away, which a sensible client does not do';
const TRACEPOINT =
  'a tenth of the drawn scenarios has a tracepoint, and few of them change its last or first probes';
const EVENTS =
  'a tenth of the drawn scenarios has a tracepoint, and in few of them an interrupt in a hit is another';
const KPROBE_EVENTS =
  'the perf event of a kprobe has to have a program and lose it while a call is in its handler, which few drawn ones do';
const INTERRUPTS =
  'both a call and its interrupt have to be probed by kprobes; drawn interrupts are counted in preempt_count';
const JUMPS = 'debug.kprobes-optimization is not drawn, without which no kprobe gets a jump';
const OPERATIONS =
  'certain operations have to meet on the same function or object, and few scenarios have them';

const AT_THE_END_OF_A_BATCH =
  'a task must come to the int3 of a kprobe in a body between the last sync of a batch and its end';

/**
 * Planted bugs that several dozen drawn scenarios do not show, and why. Random schedules find each in its own
 * scenario.
 */
export const SELDOM_DRAWN: Readonly<Record<string, string>> = {
  'batch-goes-while-a-handler-searches': AT_THE_END_OF_A_BATCH,
  'batch-ends-with-a-handler-in-it': AT_THE_END_OF_A_BATCH,
  'modify-takes-direct-mutex-again': OPERATIONS,
  'notrace-is-merged-from-the-filters': OPERATIONS,
  'slot-of-a-user-is-read-twice': OPERATIONS,
  'cleared-node-is-followed': OPERATIONS,
  'multi-link-does-not-mark-its-sites': OPERATIONS,
  'image-is-put-although-its-site-stays':
    'an allocation has to fail on the way of the last detach; scenarios are drawn without failures',
  'peer-takes-direct-mutex-again': OPERATIONS,
  'ops-of-a-trampoline-is-not-waited-for': OPERATIONS,
  'kprobe-gets-its-jump-without-rcu-tasks': JUMPS,
  'kprobe-gets-its-jump-over-another': JUMPS,
  'kprobe-is-armed-in-the-middle-of-a-jump': JUMPS,
  'no-rcu-tasks-before-the-kill': WINDOW,
  'rcu-before-the-kill': WINDOW,
  'rude-before-the-kill': WINDOW,
  'no-rcu-tasks-for-the-preempted': WINDOW,
  'rcu-for-the-preempted': WINDOW,
  'rude-for-the-preempted': WINDOW,
  'live-image-half-is-overwritten': WINDOW,
  'detached-program-is-not-skipped': WINDOW,
  'program-is-freed-under-its-sleeper': WINDOW,
  'no-rcu-tasks-before-program-free': WINDOW,
  'only-tasks': WINDOW,
  'rcu-for-the-idle-task': WINDOW,
  'no-rcu-tasks-trace-for-sleepers': WINDOW,
  'rcu-for-sleepers': WINDOW,
  'old-direct-functions-are-freed-at-once': WINDOW,
  'image-does-not-hold-its-trampoline': OPERATIONS,
  'trampoline-does-not-know-ftrace': OPERATIONS,
  'shared-fprobe-runs-in-a-kprobe': 'no fprobe that is shared with kprobes is drawn',
  'modify-without-the-detour': OPERATIONS,
  'lookup-without-a-section': OPERATIONS,
  'modify-stops-kprobes': OPERATIONS,
  'direct-calls-without-ftrace-lock': OPERATIONS,
  'second-link-takes-no-reference': OPERATIONS,
  'peer-waits-for-the-trampoline': OPERATIONS,
  'trampoline-is-always-busy': OPERATIONS,
  'counter-never-falls': OVERRIDDEN,
  'trampoline-is-put-without-the-lock': OPERATIONS,
  'ops-is-initialised-twice': SHARED,
  'entered-image-is-never-exited': OVERRIDDEN,
  'new-module-records-lack-regs': UNLIKELY,
  'module-is-held-too-late': OPERATIONS,
  'table-is-emptied-first': OPERATIONS,
  'live-patch-is-bypassed': OPERATIONS,
  'no-bit-of-transition': INTERRUPTS,
  'missed-kprobe-is-not-counted': INTERRUPTS,
  'kprobe-runs-in-a-kprobe': INTERRUPTS,
  'missed-kprobe-is-counted-twice': INTERRUPTS,
  'kprobe-of-an-event-is-freed-under-its-handler': KPROBE_EVENTS,
  'array-of-an-event-is-freed-at-once': KPROBE_EVENTS,
  'program-of-a-closed-link-stays-in-the-array': KPROBE_EVENTS,
  'program-of-a-kprobe-event-runs-in-another': INTERRUPTS,
  'program-of-a-kprobe-event-is-counted-twice': INTERRUPTS,
  'second-miss-is-not-counted': 'no fprobe that is shared with kprobes is drawn',
  'second-last-probe-is-removed-without-a-wait': TRACEPOINT,
  'first-probe-is-added-without-a-wait': TRACEPOINT,
  'old-probes-are-freed-at-once': TRACEPOINT,
  'raw-tracepoint-link-is-freed-at-once': TRACEPOINT,
  'array-of-programs-is-freed-at-once': TRACEPOINT,
  'program-of-a-perf-event-runs-in-another': EVENTS,
  'half-is-written-under-a-cpu': WINDOW,
  'recursion-is-not-detected': EVENTS,
  'retired-image-keeps-rbx': OPERATIONS,
};

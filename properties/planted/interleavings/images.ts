import type { Edit } from '../../../model/core/link.ts';
import type { Part } from '../../../model/core/part.ts';
import { noCallToAFreedProgram } from '../../task/no-call-to-a-freed-program.ts';
import { noFetchFromFreedMemory } from '../../task/no-fetch-from-freed-memory.ts';
import { noOverwriteOfRunningCode } from '../../task/no-overwrite-of-running-code.ts';
import { load } from '../sequences/actions.ts';
import { dropped, edit } from '../sequences/edits.ts';
import type { TaskPlanted } from './planted.ts';
import { asleepIn, close, closeProg, loadSleepable, open, scenario } from './scenarios.ts';
import { waitFor } from './waits.ts';

/*
 * Planted bugs in the ladder that releases an image (`bpf_tramp_image_put()`): each wait is dropped, and each is
 * replaced by a weaker one. That the last step is a work item cannot be observed here: its free routines may sleep.
 */

const LADDER = '__bpf_tramp_image_put';
const CALLS_ORIGINAL = 'it calls the original';

/** Waits of an image that calls the original, and of one that does not, by position. */
const BEFORE_THE_KILL = 0;
const FOR_THE_COUNTER = 2;
const AFTER_THE_COUNTER = 3;
const FOR_SLEEPERS = 0;
const FOR_THE_PREEMPTED = 1;

/** Replaces the nth part of an image's ladder. */
function rung(which: 'parts' | 'otherwise', n: number, becomes: readonly Part[]): Edit {
  return edit(LADDER, CALLS_ORIGINAL, (part) =>
    part.kind === 'when' ? [{ ...part, [which]: part[which].toSpliced(n, 1, ...becomes) }] : [part],
  );
}

/** Attaching a second program that runs after the function, which makes another image. */
const SECOND_EXIT = scenario({ setup: [load(1, 'fexit'), load(2, 'fexit'), open(1)], clients: [[open(2)]] });
const SECOND_EXIT_UNDER_A_SLEEPER = { ...SECOND_EXIT, callers: [asleepIn('body_hook')] };
/** The same with a program that runs before the function. */
const SECOND_ENTRY = scenario({ setup: [load(1), load(2), open(1)], clients: [[open(2)]] });
const SECOND_ENTRY_UNDER_A_SLEEPER = scenario({
  setup: [loadSleepable(1), load(2), open(1)],
  clients: [[open(2)]],
  callers: [asleepIn('prog#1')],
});

type Rung = Omit<TaskPlanted, 'history' | 'law' | 'profile'>;

/** All of them show as a fetch from freed memory, in generation B. */
const RUNGS: readonly Rung[] = [
  {
    name: 'image-is-freed-at-once',
    sentence: 'An image is freed as soon as no call site points to it.',
    edits: [edit(LADDER, CALLS_ORIGINAL, dropped)],
    scenario: SECOND_EXIT_UNDER_A_SLEEPER,
    finding:
      'code stays mapped until the last task has left it / fetch of 1 byte at page 0+0x31: unmapped, at f1+0x59',
    moves: 42,
  },
  {
    name: 'no-rcu-tasks-before-the-kill',
    sentence:
      'Tasks in the first instructions of an image, which do not hold its reference yet, are not waited for.',
    edits: [rung('parts', BEFORE_THE_KILL, [])],
    scenario: SECOND_EXIT,
    finding:
      'code stays mapped until the last task has left it / fetch of 1 byte at page 0+0x31: unmapped, at f1+0x59',
    moves: 50,
  },
  {
    name: 'rcu-before-the-kill',
    sentence:
      'Tasks preempted in the first instructions of an image are waited for with RCU, which does not see them.',
    edits: [rung('parts', BEFORE_THE_KILL, waitFor('rcu'))],
    scenario: SECOND_EXIT,
    finding:
      'code stays mapped until the last task has left it / fetch of 1 byte at page 0+0x31: unmapped, at f1+0x59',
    moves: 50,
  },
  {
    name: 'rude-before-the-kill',
    sentence:
      'RCU-tasks-rude replaces RCU-tasks: each CPU switches tasks, and one task stays preempted in the image.',
    edits: [rung('parts', BEFORE_THE_KILL, waitFor('rcu_tasks_rude'))],
    scenario: SECOND_EXIT,
    finding:
      'code stays mapped until the last task has left it / fetch of 1 byte at page 0+0x31: unmapped, at f1+0x59',
    moves: 50,
  },
  {
    name: 'counter-is-not-waited-for',
    sentence: 'A task that sleeps in the original that an image called is not waited for.',
    edits: [rung('parts', FOR_THE_COUNTER, [])],
    scenario: SECOND_EXIT_UNDER_A_SLEEPER,
    finding:
      'code stays mapped until the last task has left it / fetch of 1 byte at page 0+0x31: unmapped, at f1+0x59',
    moves: 44,
  },
  {
    name: 'rcu-tasks-trace-for-the-counter',
    sentence:
      'RCU-tasks-trace replaces the reference count: the original runs outside its read-side sections.',
    edits: [rung('parts', FOR_THE_COUNTER, waitFor('rcu_tasks_trace'))],
    scenario: SECOND_EXIT_UNDER_A_SLEEPER,
    finding:
      'code stays mapped until the last task has left it / fetch of 1 byte at page 0+0x31: unmapped, at f1+0x59',
    moves: 45,
  },
  {
    name: 'no-rcu-tasks-after-the-counter',
    sentence: 'Tasks in the last instructions of an image, after __bpf_tramp_exit(), are not waited for.',
    edits: [rung('parts', AFTER_THE_COUNTER, [])],
    scenario: SECOND_EXIT_UNDER_A_SLEEPER,
    finding:
      'code stays mapped until the last task has left it / fetch of 1 byte at page 0+0x89: unmapped, after __bpf_tramp_exit',
    moves: 47,
  },
  {
    name: 'rcu-after-the-counter',
    sentence:
      'Tasks preempted in the last instructions of an image are waited for with RCU, which does not see them.',
    edits: [rung('parts', AFTER_THE_COUNTER, waitFor('rcu'))],
    scenario: SECOND_EXIT_UNDER_A_SLEEPER,
    finding:
      'code stays mapped until the last task has left it / fetch of 1 byte at page 0+0x89: unmapped, after __bpf_tramp_exit',
    moves: 48,
  },
  {
    name: 'rude-after-the-counter',
    sentence: 'RCU-tasks-rude replaces the last RCU-tasks grace period.',
    edits: [rung('parts', AFTER_THE_COUNTER, waitFor('rcu_tasks_rude'))],
    scenario: SECOND_EXIT_UNDER_A_SLEEPER,
    finding:
      'code stays mapped until the last task has left it / fetch of 1 byte at page 0+0x89: unmapped, after __bpf_tramp_exit',
    moves: 48,
  },
  {
    name: 'no-rcu-tasks-trace-for-sleepers',
    sentence: 'A task that sleeps in a program called by an image without exit programs is not waited for.',
    edits: [rung('otherwise', FOR_SLEEPERS, [])],
    scenario: SECOND_ENTRY_UNDER_A_SLEEPER,
    finding:
      'code stays mapped until the last task has left it / fetch of 1 byte at page 0+0x43: unmapped, at prog#1',
    moves: 35,
  },
  {
    name: 'rcu-for-sleepers',
    sentence:
      'A task that sleeps in a program is waited for with RCU, outside whose read-side sections it sleeps.',
    edits: [rung('otherwise', FOR_SLEEPERS, waitFor('rcu'))],
    scenario: SECOND_ENTRY_UNDER_A_SLEEPER,
    finding:
      'code stays mapped until the last task has left it / fetch of 1 byte at page 0+0x43: unmapped, at prog#1',
    moves: 36,
  },
  {
    name: 'no-rcu-tasks-for-the-preempted',
    sentence: 'Tasks preempted in an image without exit programs are not waited for.',
    edits: [rung('otherwise', FOR_THE_PREEMPTED, [])],
    scenario: SECOND_ENTRY,
    finding:
      'code stays mapped until the last task has left it / fetch of 1 byte at page 0+0x32: unmapped, at __bpf_prog_enter_recur',
    moves: 37,
  },
  {
    name: 'rcu-for-the-preempted',
    sentence: 'Tasks preempted in an image are waited for with RCU, which does not see them.',
    edits: [rung('otherwise', FOR_THE_PREEMPTED, waitFor('rcu'))],
    scenario: SECOND_ENTRY,
    finding:
      'code stays mapped until the last task has left it / fetch of 1 byte at page 0+0x32: unmapped, at __bpf_prog_enter_recur',
    moves: 38,
  },
  {
    name: 'rude-for-the-preempted',
    sentence: 'RCU-tasks-rude replaces RCU-tasks for an image without exit programs.',
    edits: [rung('otherwise', FOR_THE_PREEMPTED, waitFor('rcu_tasks_rude'))],
    scenario: SECOND_ENTRY,
    finding:
      'code stays mapped until the last task has left it / fetch of 1 byte at page 0+0x32: unmapped, at __bpf_prog_enter_recur',
    moves: 38,
  },
];

/** Programs that an image of generation C calls. */
const TWO_PROGRAMS = [loadSleepable(1), load(2), open(2), open(1)];
const SECOND_IS_FREED = [[close(2), closeProg(2)]];

export const PLANTED_IMAGES: readonly TaskPlanted[] = [
  ...RUNGS.map((rung) => ({ ...rung, history: undefined, law: noFetchFromFreedMemory, profile: '6.12' })),
  {
    name: 'live-image-half-is-overwritten',
    sentence:
      'The images of a trampoline alternate between the halves of one page: a task that sleeps in the original returns into another image.',
    history: 'bpf: Fix fexit trampoline. (5.12; 5.10.28)',
    law: noOverwriteOfRunningCode,
    profile: '6.12, imageLifecycle = A',
    sound: '6.12',
    edits: [],
    scenario: scenario({
      setup: [load(1, 'fexit'), load(2), open(1)],
      clients: [[open(2), close(1)]],
      callers: [asleepIn('body_hook')],
    }),
    finding:
      'a call accesses only allocated memory / read of 1 byte at 0x81081000db40b34: unmapped, at tramp#3+0x22',
    moves: 39,
  },
  {
    name: 'detached-program-is-not-skipped',
    sentence: 'A detached program is not patched out of the images that tasks are still in.',
    history: 'bpf: Skip detached progs in trampoline images that are still in use (7.2.10)',
    law: noCallToAFreedProgram,
    profile: '7.2',
    edits: [edit('bpf_trampoline_remove_prog', 'images skip the program', dropped)],
    scenario: scenario({ setup: TWO_PROGRAMS, clients: SECOND_IS_FREED, callers: [asleepIn('prog#1')] }),
    finding:
      'a program that an image calls is allocated / use after free: prog#2 has been freed (__bpf_prog_enter_recur)',
    moves: 83,
  },
  {
    name: 'no-rcu-tasks-before-program-free',
    sentence: 'A program is freed while a task is past the nop before it and has not entered it yet.',
    history: 'bpf: Wait for an RCU tasks GP before freeing trampoline progs (7.2.10)',
    law: noCallToAFreedProgram,
    profile: '7.2',
    edits: [edit('__bpf_prog_put', 'images may still call it', dropped)],
    scenario: scenario({ setup: TWO_PROGRAMS, clients: SECOND_IS_FREED, callers: [asleepIn('prog#1')] }),
    finding:
      'a program that an image calls is allocated / use after free: prog#2 has been freed (__bpf_prog_enter_recur)',
    moves: 91,
  },
  {
    name: 'program-is-freed-under-its-sleeper',
    sentence: 'A sleepable program is freed without an RCU-tasks-trace grace period.',
    history: undefined,
    law: noCallToAFreedProgram,
    profile: '7.2',
    edits: [edit('__bpf_prog_put', 'it may sleep', dropped)],
    scenario: scenario({
      setup: [loadSleepable(1), open(1)],
      clients: [[close(1), closeProg(1)]],
      callers: [asleepIn('prog#1')],
    }),
    finding:
      'a program that an image calls is allocated / use after free: prog#1 has been freed (the program itself)',
    moves: 70,
  },
];

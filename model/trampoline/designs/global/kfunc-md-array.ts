import type { Part } from '../../../core/part.ts';
import { entry } from '../../../core/present.ts';
import type { RoutineWords } from '../../../core/routine.ts';
import { routine } from '../../../core/routine.ts';
import { warn } from '../../../core/world.ts';
import type { BpfView, BpfWorld } from '../../world.ts';
import type { Counts } from '../count.ts';
import { counted } from '../count.ts';
import {
  currentArray,
  DEFAULT_ARRAY,
  dataOf,
  emptyArray,
  entriesOf,
  findMd,
  freshNumber,
  insertMd,
  MIN_BITS,
  unhashMd,
} from './kfunc-md.ts';

/*
 * kernel/bpf/kfunc_md.c of the series: metadata exists while it has users. An array that is nearly full is
 * replaced by one with twice the number of lists, one that is nearly empty by one with half of them, with a copy
 * of every entry. `kfunc_md_mutex` is held; calls look metadata up under RCU.
 */

/** It serialises all changes of metadata; calls do not take it. */
export const MD_MUTEX = 'kfunc_md_mutex';

/** To twice the number of lists, or to half of it. */
interface AdjustArgs {
  grows: boolean;
}

/** A resize between its steps. */
interface AdjustLocals extends AdjustArgs {
  made: number;
  /** Entries of the array that was replaced. */
  stale: readonly number[];
  old: number;
  number: number;
}

/** kfunc_md_array_adjust(): without memory for a copy, the new array is leaked. */
const kfuncMdArrayAdjust = routine<BpfWorld, AdjustArgs, AdjustLocals>('kfunc_md_array_adjust', (words) => {
  const { allocate, step, call, wait } = words;
  return [
    allocate('the array'),
    step('make the array', (k, locals) => {
      const { arrays } = dataOf(k);
      locals.made = 1;
      while (arrays[locals.made] !== undefined) locals.made++;
      arrays[locals.made] = emptyArray(currentArray(k).bits + (locals.grows ? 1 : -1));
    }),
    call(copyEntries, (_, { made }) => ({ made })),
    // rcu_assign_pointer(): new lookups use the copies.
    step('publish kfunc_mds', (k, locals) => {
      locals.stale = entriesOf(k, currentArray(k));
      locals.old = dataOf(k).current;
      dataOf(k).current = locals.made;
    }),
    wait('rcu'),
    freeOldEntries(words),
  ];
});

/** The old entries, each when no call holds it; the lists after an RCU grace period. */
function freeOldEntries({ each, step, reclaim, when }: RoutineWords<BpfWorld, AdjustLocals>): Part {
  return when('it had entries', () => true, [
    step('empty the old array', (k, { old }) => {
      const array = entry(dataOf(k).arrays, old);
      for (const bucket in array.heads) delete array.heads[bucket];
      array.used = 0;
      array.retired = old !== DEFAULT_ARRAY;
    }),
    each<number>(
      'entry',
      (_, { stale }) => stale,
      (locals, number) => {
        locals.number = number;
      },
      [reclaim('kill its reference counter', kfuncMdRelease, (_, { number }) => ({ number }))],
    ),
    reclaim('free the old array', freeArray, (_, { old }) =>
      old === DEFAULT_ARRAY ? undefined : { array: old },
    ),
  ]);
}

/** __kfunc_md_create(), once for each entry: the copy shares the lists of programs with the original. */
const copyEntries = routine<BpfWorld, { made: number }>('__kfunc_md_create', ({ allocate, step }) => [
  allocate('the copies'),
  step('copy each entry', (k, { made }) => {
    const data = dataOf(k);
    for (const number of entriesOf(k, currentArray(k)).reverse()) {
      const md = entry(data.mds, number);
      const copy = { ...md, progs: [...md.progs] as typeof md.progs, refs: 0 };
      insertMd(k, entry(data.arrays, made), freshNumber(k, data.mds, md.func), copy);
    }
  }),
]);

/** kfree_rcu() of an array that was replaced: a lookup may be walking through its lists. */
const freeArray = routine<BpfWorld, { array: number }>('kfree_rcu(kfunc_md_array)', ({ wait, step }) => [
  wait('rcu'),
  step('free the array', (k, { array }) => {
    delete dataOf(k).arrays[array];
  }),
]);

/**
 * percpu_ref_kill(), kfunc_md_release() and what follows it:
 *
 * ```text
 *   rcu                the counter becomes exact
 *   percpu_ref         calls in the original have returned
 *   rcu_tasks_trace    sleepable programs have finished
 *   rcu_tasks          tasks have left the last instructions
 * ```
 *
 * Functions with entry programs only take no reference: only the last two cover them.
 */
export const kfuncMdRelease = routine<BpfWorld, { number: number }>('kfunc_md_release', ({ wait, step }) => [
  wait('rcu'),
  wait('percpu_ref', (k, { number }) => entry(dataOf(k).mds, number).refs === 0),
  wait('rcu_tasks_trace'),
  wait('rcu_tasks'),
  step('free the metadata', (k, { number }) => {
    delete dataOf(k).mds[number];
  }),
]);

export const ARRAY_BACKGROUND = [kfuncMdRelease, freeArray];

/** kfunc_md_create(): one more user of the metadata, which is made if there is none. */
export const kfuncMdCreate = routine<BpfWorld, { func: string; nrArgs: number }>(
  'kfunc_md_create',
  ({ holding, when, call, step, allocate }) => [
    holding(MD_MUTEX, [
      when('it is full to nine tenths', isNearlyFull, [call(kfuncMdArrayAdjust, () => ({ grows: true }))]),
      when(
        'there is metadata',
        (k, { func }) => findMd(k, func) !== 0,
        [
          step('count a user', (k, { func }) => {
            entry(dataOf(k).mds, findMd(k, func)).users++;
          }),
        ],
        [
          allocate('the metadata'),
          step('make the metadata', (k, { func, nrArgs }) => {
            const data = dataOf(k);
            const md = { func, nrArgs, users: 1, progCount: 0, originCall: false, refs: 0, next: 0 };
            insertMd(k, currentArray(k), freshNumber(k, data.mds, func), { ...md, progs: [0, 0, 0] });
          }),
        ],
      ),
    ]),
  ],
);

/** The padding variant indexes a flat array that never grows. */
function isHashed(k: BpfView): boolean {
  return dataOf(k).paddings === null;
}

/** Grown at nine tenths, shrunk at three tenths: a function that comes and goes does not resize it each time. */
function isNearlyFull(k: BpfView): boolean {
  const { used, bits } = currentArray(k);
  return isHashed(k) && used * 10 >= 2 ** bits * 9;
}

/** Never below `MIN_KFUNC_MD_ARRAY_BITS`, the size of the static array. */
function isNearlyEmpty(k: BpfView): boolean {
  const { used, bits } = currentArray(k);
  return isHashed(k) && used * 10 <= 2 ** bits * 3 && bits > MIN_BITS;
}

/** kfunc_md_put_ip(): one user less; the last one unhashes the metadata. A failure to shrink is ignored. */
export const kfuncMdPut = routine<BpfWorld, { func: string }, { func: string; number: number }>(
  'kfunc_md_put',
  ({ step, finish, holding, when, call, reclaim }) => [
    step('find it', (k, locals) => {
      locals.number = findMd(k, locals.func);
    }),
    finish('there is no metadata', (_, { number }) => number === 0),
    holding(MD_MUTEX, [
      step('count a user less', (k, { number }) => {
        const md = entry(dataOf(k).mds, number);
        if (md.users <= 0) warn(k, { is: 'metadata without users' });
        md.users--;
      }),
      when('it was the last one', (k, { number }) => entry(dataOf(k).mds, number).users === 0, [
        step('unhash it', (k, { number }) => unhashMd(k, currentArray(k), number)),
        // A call that has found it is waited for by kfunc_md_release(), not here.
        reclaim('kill its reference counter', kfuncMdRelease, (_, { number }) => ({ number })),
        when('it is full to three tenths', isNearlyEmpty, [
          call(
            kfuncMdArrayAdjust,
            () => ({ grows: false }),
            () => {},
          ),
        ]),
      ]),
    ]),
  ],
);

/** The padding variant needs no lookup. */
function ofLookup(k: BpfView): Partial<Counts> {
  return isHashed(k) ? { hashLookups: 1 } : {};
}

/** text_poke() and text_poke_sync(): padding is never executed, so one write is enough. */
function ofPadding(k: BpfView): Partial<Counts> {
  return isHashed(k) ? {} : { textPokes: 1, syncIpis: 1 };
}

/** Lookups in the hash, and the copies when it is resized. */
export const ARRAY_COUNTS = [
  counted('kfunc_md_create', 'it is full to nine tenths', ofLookup),
  counted('kfunc_md_create', 'make the metadata', ofPadding),
  counted('kfunc_md_put', 'find it', ofLookup),
  counted('kfunc_md_put', 'unhash it', ofPadding),
  counted('__kfunc_md_create', 'copy each entry', (k) => ({ entriesCopied: currentArray(k).used })),
];

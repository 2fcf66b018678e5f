import type { Part } from '../core/part.ts';
import { item, present } from '../core/present.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import { added, isSameProbe, refuseAdded, removed } from './probe-array.ts';
import { releaseProbes } from './release-probes.ts';
import { condSync, getState } from './snapshot.ts';
import { staticCallUpdate, staticKeySet } from './static-call.ts';
import type { TracepointFunc, TracepointView, TracepointWorld, TransitionSync } from './tracepoint.ts';
import { iteratorName, probesOf, TP_STUB_FUNC, tracepointNamed, tracepointsOf } from './tracepoint.ts';

/*
 * tracepoint_probe_register() and tracepoint_probe_unregister(), kernel/tracepoint.c, `tracepoints_mutex` held.
 *
 * ```text
 *   0->1      wait for 1->0->1    call the probe     publish    key on
 *   1->2                          call the iterator  publish
 *   N->N+1                                           publish
 *   N->N-1                                           publish
 *   2->1                                             publish    wait for N->2->1    call the probe
 *   1->0      key off             call the iterator  publish
 * ```
 *
 * A CPU that has read the data of one array must not reach the call of another probe: the order of the steps
 * protects it where the iterator is called, and a grace period where a probe is called directly.
 */

/** A probe is identified by its function and its data together. */
export interface ProbeArgs {
  tracepoint: string;
  func: string;
  data: string;
  prio: number;
  /** A second registration is no mistake of the client (bpf_probe_register()). */
  mayExist: boolean;
}

/** The change between its steps: the array before, and the new one. */
interface AtProbe extends ProbeArgs {
  /** The probes before; undefined: NULL. */
  old?: TracepointFunc[] | undefined;
  oldName: string;
  /** The probes afterwards, and their array; undefined and empty: NULL. */
  array?: TracepointFunc[] | undefined;
  name: string;
  /** Allocating it failed. */
  failed?: boolean;
}

type ProbeWords = RoutineWords<TracepointWorld, AtProbe>;

/** tracepoint_probe_register_prio(), and tracepoint_probe_register_prio_may_exist() without the WARN. */
export const tracepointProbeRegister = routine<TracepointWorld, ProbeArgs>(
  'tracepoint_probe_register_prio',
  ({ holding, call }) => [
    holding('tracepoints_mutex', [call(tracepointAddFunc, (_, locals) => ({ ...locals }))]),
  ],
);

/** tracepoint_probe_unregister(). */
export const tracepointProbeUnregister = routine<TracepointWorld, ProbeArgs>(
  'tracepoint_probe_unregister',
  ({ holding, call }) => [
    holding('tracepoints_mutex', [call(tracepointRemoveFunc, (_, locals) => ({ ...locals }))]),
  ],
);

/** allocate_probes(): on failure, adding is ENOMEM, and removing leaves tp_stub_func() in the old array. */
const allocateProbes = routine<TracepointWorld, object>('allocate_probes', ({ allocate }) => [
  allocate('the new array'),
]);

/**
 * tracepoint_add_func(). The old array is freed in the background (release_probes()). A snapshot is taken when
 * the first probe of the array changes, since that is the one whose data a direct call uses.
 */
const tracepointAddFunc = routine<TracepointWorld, ProbeArgs, AtProbe>('tracepoint_add_func', (words) => {
  const { step, refuse, when, call } = words;
  return [
    step('read the probes', look),
    when('the probe is there', (_, locals) => refuseAdded(locals.old, locals) !== undefined, [
      when('that is a mistake', (_, { mayExist }) => !mayExist, [
        step('WARN_ON_ONCE(warn)', (k, { tracepoint, func }) => {
          warn(k, { is: 'probe there already', func, tracepoint });
        }),
      ]),
      refuse('EEXIST', 'the probe is there', (_, locals) => refuseAdded(locals.old, locals) !== undefined),
    ]),
    call(allocateProbes, () => ({})),
    step('func_add', (k, locals) => makeArray(k, locals, added(locals.old, locals))),
    when('0->1', (_, { array }) => array?.length === 1, zeroToOne(words)),
    when('1->2', (_, { array }) => array?.length === 2, [callIterator(words), publish(words)]),
    when('N->N+1', (_, { array }) => (array?.length ?? 0) > 2, [publish(words)]),
    when('there was another in front', isChangedInFront, [takeSnapshot(words, 'N->2->1')]),
    call(releaseProbes, (_, { tracepoint, oldName }) => ({ tracepoint, array: oldName })),
  ];
});

/**
 * The new static call must not be made with data that was read before the last probe left: the snapshot of
 * 1->0->1. The key is switched on last.
 */
function zeroToOne(words: ProbeWords): Part[] {
  const { call } = words;
  return [
    // A CPU may still have the data of the last probe before 1->0.
    call(condSync, () => ({ sync: '1->0->1' as const })),
    callFirst(words),
    publish(words),
    // The key last: a site with the key on finds the array.
    call(staticKeySet, (_, { tracepoint }) => ({ tracepoint, on: true })),
  ];
}

/**
 * tracepoint_remove_func(). Removing needs memory for a smaller array; without it tp_stub_func() takes the place
 * of the probe in the array that is in use, and the answer is 0. Such entries are dropped by the next change.
 */
const tracepointRemoveFunc = routine<TracepointWorld, ProbeArgs, AtProbe>(
  'tracepoint_remove_func',
  (words) => {
    const { step, refuse, when, call, finish } = words;
    return [
      step('read the probes', look),
      when('there are none', (_, { old }) => old === undefined, [
        step('WARN_ON_ONCE(IS_ERR(old))', (k, { tracepoint }) => {
          warn(k, { is: 'no probes', tracepoint });
        }),
        refuse('ENOENT', 'the tracepoint has no probes', () => true),
      ]),
      when('others are left', (_, locals) => removed(probes(locals), locals) !== undefined, [
        call(
          allocateProbes,
          () => ({}),
          (_, locals, errno) => {
            locals.failed = errno !== 0;
          },
        ),
      ]),
      when('there is no memory', (_, { failed }) => failed === true, [
        // In the array that is in use: a single word changes, and no reader sees a hole.
        step('tp_stub_func takes its place', (_, locals) => {
          for (const tracepointFunc of probes(locals))
            if (isSameProbe(tracepointFunc, locals)) tracepointFunc.func = TP_STUB_FUNC;
        }),
      ]),
      finish('there is no memory', (_, { failed }) => failed === true),
      step('func_remove', (k, locals) => makeArray(k, locals, removed(probes(locals), locals))),
      when('1->0', (_, { name }) => name === '', oneToZero(words)),
      when('2->1', (_, { array }) => array?.length === 1, twoToOne(words)),
      when('N->N-1', (_, { array }) => (array?.length ?? 0) > 1, [
        publish(words),
        when('there was another in front', isChangedInFront, [takeSnapshot(words, 'N->2->1')]),
      ]),
      call(releaseProbes, (_, { tracepoint, oldName }) => ({ tracepoint, array: oldName })),
    ];
  },
);

/** The probes before, where NULL has been refused. */
function probes({ old, tracepoint }: AtProbe): TracepointFunc[] {
  return present(old, `probe on ${tracepoint}`);
}

/** Neither the iterator nor the site needs an array: no probe is called. */
function oneToZero(words: ProbeWords): Part[] {
  const { call } = words;
  return [
    // The key first; a CPU past it still makes the static call, with NULL as its array.
    call(staticKeySet, (_, { tracepoint }) => ({ tracepoint, on: false })),
    callIterator(words),
    publish(words),
    takeSnapshot(words, '1->0->1'),
  ];
}

/** Every reader of data other than that of the remaining probe has to be gone before that is called directly. */
function twoToOne(words: ProbeWords): Part[] {
  const { call, when } = words;
  return [
    publish(words),
    when('there was another in front', isChangedInFront, [takeSnapshot(words, 'N->2->1')]),
    // A CPU with the data of another probe must not make the direct call below.
    call(condSync, () => ({ sync: 'N->2->1' as const })),
    callFirst(words),
  ];
}

/** tracepoint_update_call() with one probe: `static_call_update()` to the probe itself. */
function callFirst({ call }: ProbeWords): Part {
  return call(staticCallUpdate, (_, { tracepoint, array }) => ({
    tracepoint,
    func: item(array ?? [], 0).func,
  }));
}

/** tracepoint_update_call() with none or several: the iterator reads the array itself. */
function callIterator({ call }: ProbeWords): Part {
  return call(staticCallUpdate, (_, { tracepoint }) => ({ tracepoint, func: iteratorName(tracepoint) }));
}

/** rcu_assign_pointer(tp->funcs, tp_funcs). */
function publish({ step }: ProbeWords): Part {
  return step('publish tp->funcs', (k, { tracepoint, name }) => {
    tracepointNamed(k, tracepoint).funcs = name;
  });
}

/** tp_rcu_get_state(): the wait comes later, before the next direct call of a probe. */
function takeSnapshot({ call }: ProbeWords, sync: TransitionSync): Part {
  return call(getState, () => ({ sync }));
}

/** Another probe is the first one now. */
function isChangedInFront(_: TracepointView, { old, array }: AtProbe): boolean {
  return old !== undefined && array !== undefined && item(old, 0).data !== item(array, 0).data;
}

/** tracepoints_mutex is held: nothing changes the array but tp_stub_func(). */
function look(k: TracepointWorld, locals: AtProbe): void {
  locals.oldName = tracepointNamed(k, locals.tracepoint).funcs;
  locals.old = probesOf(k, locals.tracepoint);
}

/** func_add() or func_remove(): a new array. Entries of the old one may still change while it is in memory. */
function makeArray(k: TracepointWorld, locals: AtProbe, array: readonly TracepointFunc[] | undefined): void {
  locals.name = '';
  delete locals.array;
  if (array === undefined) return;
  const all = tracepointsOf(k);
  all.made++;
  locals.name = `funcs#${all.made}`;
  locals.array = array.map(({ func, data, prio }) => ({ func, data, prio }));
  all.arrays[locals.name] = locals.array;
}

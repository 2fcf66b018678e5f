import type { FunctionName, OpsId } from '../core/ids.ts';
import { useAfterFree } from '../core/oops.ts';
import { profileNamed } from '../core/profile.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import { freeOpsWithFilter } from '../ftrace/filter-hash.ts';
import { zeroedOps } from '../ftrace/ops.ts';
import { NO_FLAGS } from './flags.ts';
import { allocateTrampolineMemory, freeTrampolineMemory, sharesPage } from './image-memory.ts';
import type { BpfTrampoline, BpfView, BpfWorld } from './world.ts';

/*
 * Trampolines are shared by reference: bpf_trampoline_get() looks one up by its target or makes it,
 * bpf_trampoline_put() frees it with the last reference. `trampoline_mutex` guards the table; `tr->mutex` (7.2: a
 * lock of a pool) guards one trampoline.
 *
 * ```text
 *   lock order   trampoline_mutex                       lookup and free
 *                tr->mutex -> direct_mutex -> ftrace_lock -> text_mutex     attach and detach
 * ```
 */

/** The ops for the direct calls of a trampoline: its own, or the single `direct_ops`. */
export function fopsOf(k: BpfView, target: FunctionName): OpsId {
  return profileNamed(k.profile).singleDirectOps ? 'direct_ops' : `tr(${target}).fops`;
}

/** `TRAMPOLINE_LOCKS_TABLE_SIZE`: mutexes in the pool that trampolines share (7.2). */
export const POOL_LOCKS = 32;

/**
 * select_trampoline_lock(): a trampoline's own mutex, or one of the pool. With the pool two unrelated targets can
 * exclude each other: hash_ptr() of the trampoline is a number of the target here.
 */
export function trLock(k: BpfView, target: FunctionName): string {
  return profileNamed(k.profile).singleDirectOps
    ? poolLock((k.text.functions[target] ?? 0) % POOL_LOCKS)
    : `mutex of tr(${target})`;
}

export function poolLock(i: number): string {
  return `trampoline_locks[${i}]`;
}

/** The trampoline of a target; accessing one that was freed is a crash. */
export function trOf(k: BpfWorld, target: FunctionName): BpfTrampoline;
export function trOf(k: BpfView, target: FunctionName): DeepReadonly<BpfTrampoline>;
export function trOf(k: BpfView, target: FunctionName): DeepReadonly<BpfTrampoline> {
  const tr = k.bpf.trampolines[target];
  if (tr === undefined) throw useAfterFree({ is: 'trampoline', target });
  return tr;
}

/**
 * bpf_trampoline_get(): the trampoline of a target, with one more reference. The function's model is stored with
 * the trampoline's lock held, so that this waits for an attach under way.
 */
export const bpfTrampolineGet = routine<BpfWorld, { target: FunctionName }>(
  'bpf_trampoline_get',
  ({ holding, when, step, allocate }) => [
    holding('trampoline_mutex', [
      when('there is none', (k, { target }) => k.bpf.trampolines[target] === undefined, [
        allocate('a trampoline'),
        step('make the trampoline', (k, { target }) => {
          k.bpf.serial++;
          k.bpf.trampolines[target] = {
            serial: k.bpf.serial,
            flags: NO_FLAGS,
            nodes: [],
            extensionProg: 0,
            curImage: '',
            refcnt: 0,
            ftraceManaged: false,
            images: [],
            oldImage: '',
            oldFlags: null,
          };
          const fops = fopsOf(k, target);
          k.ftrace.ops[fops] ??= zeroedOps(fops);
          k.ftrace.ops[fops].hasOpsFunc = true;
          k.ftrace.ops[fops].private = target;
          allocateTrampolineMemory(k, target);
        }),
      ]),
      step('take a reference', (k, { target }) => {
        trOf(k, target).refcnt++;
      }),
    ]),
    holding((k, { target }) => trLock(k, target), [step('remember the function', () => {})]),
  ],
);

/**
 * bpf_trampoline_put(): a trampoline that still has programs is leaked rather than freed under them (WARN). In
 * generation A its images are freed with it, after one more grace period.
 */
export const bpfTrampolinePut = routine<BpfWorld, { target: FunctionName }>(
  'bpf_trampoline_put',
  ({ holding, when, wait, finish, step }) => [
    holding('trampoline_mutex', [
      step('drop a reference', (k, { target }) => {
        trOf(k, target).refcnt--;
      }),
      finish('others have references', (k, { target }) => trOf(k, target).refcnt > 0),
      // WARN_ON_ONCE(!hlist_empty(...)): freeing it would leave a site that calls freed memory.
      finish('programs are attached', (k, { target }) => {
        if (isLocked(k, target)) warn(k, { is: 'put with its mutex locked', target });
        const attached = trOf(k, target).nodes.length > 0;
        if (attached) warn(k, { is: 'put with programs', target });
        return attached;
      }),
      when('its images share a page', sharesPage, [
        wait('rcu_tasks'),
        step('free the page of its images', (k, { target }) => freeTrampolineMemory(k, target)),
      ]),
      // The ops was waited for when it was unregistered: no grace period here.
      step('free the trampoline', (k, { target }) => {
        if (!profileNamed(k.profile).singleDirectOps) freeWithItsOps(k, target);
        delete k.bpf.trampolines[target];
      }),
    ]),
  ],
);

/** kfree() of `tr->fops`, which is still on the list if ftrace was dead when it was to be unregistered. */
function freeWithItsOps(k: BpfWorld, target: FunctionName): void {
  const fops = fopsOf(k, target);
  if (k.ftrace.opsList.includes(fops))
    k.bpf.staleTrampolines = { ...k.bpf.staleTrampolines, [target]: trOf(k, target) };
  freeOpsWithFilter(k, fops);
}

/**
 * mutex_is_locked(&tr->mutex) in bpf_trampoline_put(): ops_func of an ops that stayed on `ftrace_ops_list` when ftrace died
 * may hold it. A mutex of the pool is not tested.
 */
function isLocked(k: BpfView, target: FunctionName): boolean {
  return !profileNamed(k.profile).singleDirectOps && k.locks[trLock(k, target)] !== undefined;
}

import type { FprobeId, OpsId } from '../core/ids.ts';
import { useAfterFree } from '../core/oops.ts';
import type { Part } from '../core/part.ts';
import { entry } from '../core/present.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { dropHashes } from './filter-hash.ts';
import { ensureOps, FTRACE_OPS_FL_SAVE_REGS, opsOf } from './ops.ts';
import type { Fprobe, FprobeArgs, ProbeView, ProbeWorld } from './probes.ts';
import { enterFprobe, forgetPool } from './probes.ts';
import { registerFtraceFunction, unregisterFtraceFunction } from './register.ts';
import { rethookAlloc, rethookFree, rethookOf, rethookStop } from './rethook.ts';
import { ftraceFreeFilter, ftraceSetHash } from './set-filter.ts';

/*
 * Fprobes on rethook (5.18 to 6.13), kernel/trace/fprobe.c: each has its own ops, with its functions as the
 * filter, and its own pool of return hooks if it has an exit handler.
 */

const FPROBE_HANDLER = 'fprobe_handler';
const SHARED_HANDLER = 'fprobe_kprobe_handler';

/** `fp->ops`, embedded in the fprobe: it is freed with it. */
function fprobeOps(fprobe: FprobeId): OpsId {
  return `${fprobe}.ops`;
}

interface Registering extends FprobeArgs {
  /** The one that a walk may still find, of a registration that ftrace died over. */
  refused: Fprobe | undefined;
}

/**
 * register_fprobe_ips(). The filter is set before the ops is registered, which patches all functions in one
 * update. The pool has two nodes for each function and possible CPU unless `nr_maxactive` says otherwise.
 */
export const registerOnRethook = routine<ProbeWorld, FprobeArgs, Registering>(
  'register_fprobe_ips (rethook)',
  (words) => {
    const { refuse, step, call, allocate, attempt, when } = words;
    return [
      refuse('EINVAL', 'no function is named', (_, { ips }) => ips.length === 0),
      step('fprobe_init', (k, locals) => {
        const ops = ensureOps(k, fprobeOps(locals.fprobe));
        if (locals.cleared) clear(k, locals.fprobe);
        locals.refused = k.probes.fprobes[locals.fprobe];
        ops.func = locals.shared === true ? SHARED_HANDLER : FPROBE_HANDLER;
        ops.flags |= FTRACE_OPS_FL_SAVE_REGS;
        enterFprobe(k, locals);
      }),
      attempt(
        [
          call(ftraceSetHash, (_, { fprobe, ips }) => ({
            ops: fprobeOps(fprobe),
            which: 'filter' as const,
            ips,
            remove: false,
            reset: false,
          })),
        ],
        [step('forget the fprobe', forgetAgain)],
      ),
      attempt(
        [
          when('it has an exit handler', (_, { exit }) => exit, [
            allocate('the pool of return hooks'),
            step('make the pool', (k, { fprobe, ips, maxactive }) =>
              rethookAlloc(k, fprobe, maxactive > 0 ? maxactive : ips.length * k.probes.possibleCpus * 2),
            ),
          ]),
          call(registerFtraceFunction, (_, { fprobe }) => ({ ops: fprobeOps(fprobe) })),
        ],
        failCleanup(words),
      ),
    ];
  },
);

/**
 * fprobe_fail_cleanup(). It is not reached if the filter could not be set. Where ftrace died over the registration, nothing has
 * waited for a walk of the list that is at the ops: it calls the handler, in the memory of the client.
 */
function failCleanup(words: RoutineWords<ProbeWorld, Registering>): Part[] {
  const { step, call } = words;
  return [
    ...rethookFree(words, ({ fprobe }) => fprobe),
    step('fprobe_fail_cleanup', (k, locals) => {
      const fprobe = entry(k.probes.fprobes, locals.fprobe);
      if (k.ftrace.disabled) k.probes.fprobes[locals.fprobe] = { ...fprobe, registered: false };
      else forget(k, locals);
    }),
    call(
      ftraceFreeFilter,
      (_, { fprobe }) => ({ ops: fprobeOps(fprobe) }),
      () => {},
    ),
  ];
}

/**
 * unregister_fprobe(). fprobe_is_registered() tests `saved_func`, which stays: an fprobe that has unregistered is
 * taken for registered, and the pool that it has given back is stopped. The pool comes first, so that no handler of a
 * return under way starts after that; unregister_ftrace_function() then waits for the entry handlers. When that fails,
 * nothing else happens: with ftrace dead the fprobe stays on the list, and its client frees it all the same.
 */
export const unregisterOnRethook = routine<ProbeWorld, { fprobe: FprobeId }>(
  'unregister_fprobe (rethook)',
  (words) => {
    const { refuse, step, call } = words;
    return [
      refuse('EINVAL', 'the fprobe was never registered', (k, { fprobe }) => !wasRegistered(k, fprobe)),
      step('rethook_stop', stopPool),
      call(unregisterFtraceFunction, (_, { fprobe }) => ({ ops: fprobeOps(fprobe) })),
      ...rethookFree(words, ({ fprobe }) => fprobe),
      step('forget the fprobe', (k, locals) => {
        const { exit, prog } = entry(k.probes.fprobes, locals.fprobe);
        if (exit && prog === 0) k.probes.freedPools = [...k.probes.freedPools, locals.fprobe];
        forget(k, locals);
      }),
      call(
        ftraceFreeFilter,
        (_, { fprobe }) => ({ ops: fprobeOps(fprobe) }),
        () => {},
      ),
    ];
  },
);

/** What its client has done before: new memory, or memset() as in trace_fprobe.c. */
function clear(k: ProbeWorld, fprobe: FprobeId): void {
  dropHashes(k, fprobeOps(fprobe));
  ensureOps(k, fprobeOps(fprobe)).savedFunc = '';
  forgetPool(k, fprobe);
}

/** fprobe_is_registered(). */
function wasRegistered(k: ProbeView, fprobe: FprobeId): boolean {
  return [FPROBE_HANDLER, SHARED_HANDLER].includes(opsOf(k, fprobeOps(fprobe)).savedFunc);
}

/** rethook_stop() of `fp->rethook`, a pool that may have been freed since. */
function stopPool(k: ProbeWorld, { fprobe }: { fprobe: FprobeId }): void {
  const given = k.probes.freedPools.includes(fprobe);
  if (given && rethookOf(k, fprobe) === undefined) {
    throw useAfterFree({ is: 'rethook', name: fprobe }, 'rethook_stop');
  }
  rethookStop(k, fprobe);
}

/** ftrace_shutdown() has waited: from here on the memory of the fprobe is the client's. */
function forget(k: ProbeWorld, { fprobe }: { fprobe: FprobeId }): void {
  delete k.probes.fprobes[fprobe];
}

function forgetAgain(k: ProbeWorld, { fprobe, refused }: Registering): void {
  if (refused === undefined) forget(k, { fprobe });
  else k.probes.fprobes[fprobe] = refused;
}

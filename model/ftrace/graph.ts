import type { GraphOpsId } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import { item, present } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import type { FgraphView, FgraphWorld } from './fgraph.ts';
import { ensureGops, gopsOf, subopsOf } from './fgraph.ts';
import { ftraceGraphDisableDirect, ftraceGraphEnableDirect } from './graph-direct.ts';
import { hasSwitchProbe, registerPmNotifier, unregisterPmNotifier } from './graph-notified.ts';
import { ensureOps, GLOBAL_OPS, GRAPH_OPS } from './ops.ts';
import { updateFunctionGraphFunc } from './ops-list.ts';
import { ftraceShutdown, ftraceStartup } from './startup.ts';
import { ftraceShutdownSubops, ftraceStartupSubops } from './subops.ts';

/*
 * Users of the function graph tracer register and unregister. `ftrace_lock` is held throughout; calls that are
 * being followed take no lock.
 *
 * ```text
 *                        until 6.10                 6.11 and later
 *   -----------------    -----------------------    --------------------------------------------------
 *   users                one (EBUSY)                16 (ENOSPC), each with an index in fgraph_array
 *   filter               set_ftrace_filter          each its own; graph_ops traces the union
 *   graph_ops.func       ftrace_graph_func          the same
 *   one user             global pointers            called directly: fgraph_do_direct, fgraph_direct_gops
 * ```
 */

interface GraphArgs {
  gops: GraphOpsId;
}

/** The index that the user was given. */
interface IndexLocals extends GraphArgs {
  idx: number;
}

/**
 * register_ftrace_graph() until 6.10: one user at a time, for the functions of `set_ftrace_filter`
 * (`global_ops`). The shadow stacks of all tasks are allocated with the first user ever, and never freed. The
 * errno of ftrace_startup() is answered, but the user stays counted.
 */
const registerSingle = routine<FgraphWorld, GraphArgs>(
  'register_ftrace_graph (one user)',
  ({ holding, refuse, allocate, step, attempt, call }) => [
    holding('ftrace_lock', [
      refuse('EBUSY', 'there is a user', (k) => k.fgraph.active > 0),
      step('register_pm_notifier', registerPmNotifier),
      step('count the user', (k) => {
        k.fgraph.active++;
      }),
      attempt(
        [allocate('shadow stacks for all tasks')],
        [
          step('take the user back', (k) => {
            k.fgraph.active--;
          }),
          step('unregister_pm_notifier', unregisterPmNotifier),
        ],
      ),
      step('set the handlers', (k, { gops }) => {
        k.fgraph.directGops = gops;
        ensureGops(k, gops).registered = true;
        const ops = ensureOps(k, GRAPH_OPS);
        ops.func = 'ftrace_graph_func';
        ops.hashOf = GLOBAL_OPS;
        updateFunctionGraphFunc(k);
      }),
      call(ftraceStartup, () => ({ ops: GRAPH_OPS, command: 0 })),
    ]),
  ],
);

/**
 * unregister_ftrace_graph() until 6.10. The handlers become stubs first; calls under way return through those.
 */
const unregisterSingle = routine<FgraphWorld, GraphArgs>(
  'unregister_ftrace_graph (one user)',
  ({ holding, finish, step, call }) => [
    holding('ftrace_lock', [
      finish('there is no user', (k) => k.fgraph.active === 0),
      step('remove the handlers', (k, { gops }) => {
        k.fgraph.active--;
        k.fgraph.directGops = '';
        ensureGops(k, gops).registered = false;
      }),
      call(
        ftraceShutdown,
        () => ({ ops: GRAPH_OPS, command: 0 }),
        () => {},
      ),
      step('unregister_pm_notifier', unregisterPmNotifier),
    ]),
  ],
);

/**
 * register_ftrace_graph(), kernel/trace/fgraph.c (6.11 and later). Only 7.2 refuses a user that is registered
 * already (WARN, EBUSY); before, its index is overwritten. On failure the index goes to the end of the LRU list.
 */
const registerMulti = routine<FgraphWorld, GraphArgs, IndexLocals>(
  'register_ftrace_graph (many users)',
  (words) => {
    const { holding, refuse, step, attempt, when } = words;
    return [
      refuse('EBUSY', 'the gops is registered', (k, { gops }) => {
        const again = gopsOf(k, gops).registered && hasGraphFlag(k);
        if (again) warn(k, { is: 'graph ops registered again' });
        return again;
      }),
      holding('ftrace_lock', [
        refuse('ENOSPC', 'every index is taken', (k) => k.fgraph.lru.length === 0),
        step('take an index', (k, locals) => {
          locals.idx = item(k.fgraph.lru, 0);
          k.fgraph.lru.shift();
          ensureGops(k, locals.gops).idx = locals.idx;
          k.fgraph.active++;
        }),
        attempt(startUser(words), [
          step('give the index back', (k, { idx }) => {
            k.fgraph.active--;
            k.fgraph.lru.push(idx);
          }),
          when('no user is left', (k) => k.fgraph.active === 0, [
            step('unregister_pm_notifier', unregisterPmNotifier),
          ]),
        ]),
      ]),
    ];
  },
);

/** 7.2 marks a user with FTRACE_OPS_FL_GRAPH until it is unregistered, even if registering it failed. */
function hasGraphFlag({ profile }: FgraphView): boolean {
  return profileNamed(profile).fprobe === 'fgraph';
}

/**
 * A user with an index begins to follow calls. It enters the array last, when its functions are traced already:
 * until then its slot holds the stub, whose entry handler refuses.
 */
function startUser({ when, step, allocate, refuse, call }: RoutineWords<FgraphWorld, IndexLocals>): Part[] {
  return [
    when('there is a second user', (k) => k.fgraph.active === 2, [
      call(ftraceGraphDisableDirect, () => ({ branch: true })),
    ]),
    when('it is the first', (k) => k.fgraph.active === 1, [
      call(ftraceGraphEnableDirect, (_, { gops }) => ({ branch: false, gops })),
      step('register_pm_notifier', registerPmNotifier),
      allocate('shadow stacks for all tasks'),
      // start_graph_tracing(): no failure after this takes the probe off again.
      refuse('EEXIST', 'sched_switch has the probe of function graph', hasSwitchProbe),
    ]),
    step('mark registered', (k, { gops }) => {
      k.fgraph.switchProbe = true;
      ensureGops(k, gops).registered = true;
    }),
    call(ftraceStartupSubops, (_, { gops }) => ({ subops: subopsOf(gops) })),
    // Last: until now the slot has the stub.
    step('enter the array', (k, { gops, idx }) => {
      k.fgraph.array[idx] = gops;
    }),
  ];
}

/**
 * unregister_ftrace_graph(). No grace period covers calls that are being followed: their frames may outlive the
 * user, and the index may be given to another one. The errno of ftrace_shutdown_subops() is dropped: void.
 */
const unregisterMulti = routine<FgraphWorld, GraphArgs>(
  'unregister_ftrace_graph (many users)',
  ({ holding, finish, step, when, call }) => [
    holding('ftrace_lock', [
      finish('the gops is not in the array', (k, { gops }) => {
        const { idx } = gopsOf(k, gops);
        const isAbsent = k.fgraph.active === 0 || idx < 0 || k.fgraph.array[idx] !== gops;
        if (isAbsent && hasGraphFlag(k)) ensureGops(k, gops).registered = false;
        return isAbsent;
      }),
      // First: new calls find the stub while the ops is being shut down.
      step('leave the array', leaveArray),
      call(
        ftraceShutdownSubops,
        (_, { gops }) => ({ subops: subopsOf(gops) }),
        () => {},
      ),
      when(
        'one user is left',
        (k) => k.fgraph.active === 1,
        [
          call(ftraceGraphEnableDirect, (k) => ({
            branch: true,
            gops: present(
              k.fgraph.array.findLast((name) => name !== ''),
              'user that is left',
            ),
          })),
        ],
        [
          when('none is left', (k) => k.fgraph.active === 0, [
            call(ftraceGraphDisableDirect, () => ({ branch: false })),
            step('unregister_pm_notifier', unregisterPmNotifier),
          ]),
        ],
      ),
    ]),
  ],
);

/** The probe of sched_switch goes last in the kernel; only a registration, which waits for the lock, finds it. */
function leaveArray({ fgraph }: FgraphWorld, { gops: name }: GraphArgs): void {
  const gops = present(fgraph.gops[name], 'registered user');
  fgraph.lru.push(gops.idx);
  fgraph.array[gops.idx] = '';
  fgraph.active--;
  gops.registered = false;
  if (fgraph.active === 0) fgraph.switchProbe = false;
}

/** register_ftrace_graph() of the profile's generation. */
export const registerFtraceGraph = routine<FgraphWorld, GraphArgs>(
  'register_ftrace_graph',
  ({ when, call }) => [
    when(
      'one user only',
      (k) => profileNamed(k.profile).fgraph === 'single',
      [call(registerSingle, (_, { gops }) => ({ gops }))],
      [call(registerMulti, (_, { gops }) => ({ gops }))],
    ),
  ],
);

/** unregister_ftrace_graph() of the profile's generation. */
export const unregisterFtraceGraph = routine<FgraphWorld, GraphArgs>(
  'unregister_ftrace_graph',
  ({ when, call }) => [
    when(
      'one user only',
      (k) => profileNamed(k.profile).fgraph === 'single',
      [call(unregisterSingle, (_, { gops }) => ({ gops }))],
      [call(unregisterMulti, (_, { gops }) => ({ gops }))],
    ),
  ],
);

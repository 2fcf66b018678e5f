import type { Errno } from '../../core/errno.ts';
import type { Part } from '../../core/part.ts';
import { entry } from '../../core/present.ts';
import type { DeepReadonly } from '../../core/readonly.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { warn } from '../../core/world.ts';
import { updateFtraceDirectAdd, updateFtraceDirectDel } from '../../ftrace/direct-hash.ts';
import { updateFtraceDirectMod } from '../../ftrace/direct-hash-modify.ts';
import { linkProgLocked, removeProg, unlinkProgLocked } from '../link.ts';
import { bpfTrampolineGet, bpfTrampolinePut, POOL_LOCKS, poolLock } from '../trampoline.ts';
import type { BpfLink, BpfView, BpfWorld } from '../world.ts';
import type { Design, LinkArgs } from './design.ts';
import type { MultiTarget } from './targets.ts';
import { refuseMultiTarget, TARGET_ERRNOS, takeTarget, targetsById, targetsOf } from './targets.ts';
import { attachFree, attachInit, attachRollback } from './tracing-multi-image.ts';

/*
 * Multi links as merged in 7.2: each function keeps its own trampoline and image, and only the changes of text
 * are shared.
 *
 * ```text
 *   trampoline_lock_all()
 *     each target: link the program, generate the image, note the site in reg or modify
 *     update_ftrace_direct_add(reg)       all sites without a direct call so far
 *     update_ftrace_direct_mod(modify)    all sites with one
 *     each target: put the previous image
 *   trampoline_unlock_all()
 * ```
 *
 * Taking all 32 locks of the pool in ascending order avoids a deadlock with single links, whatever targets hash
 * together.
 */

const DIRECT_OPS = 'direct_ops';

/** An attach or a detach between its steps. */
interface MultiLocals extends LinkArgs, MultiTarget {
  /** Targets whose trampoline is held, and those that have the program in their list. */
  got: MultiTarget[];
  linked: MultiTarget[];
}

function linkOf(k: BpfWorld, locals: MultiLocals): BpfLink;
function linkOf(k: BpfView, locals: MultiLocals): DeepReadonly<BpfLink>;
function linkOf(k: BpfView, { link }: MultiLocals): DeepReadonly<BpfLink> {
  return entry(k.bpf.links, link);
}

/**
 * trampoline_lock_all(): every mutex of the pool, in ascending order. The pool has 32 of them, below
 * MAX_LOCK_DEPTH of lockdep.
 */
function holdingAll(holding: (lock: string, parts: readonly Part[]) => Part, parts: readonly Part[]): Part {
  const others = Array.from({ length: POOL_LOCKS - 1 }, (_, i) => poolLock(i + 1));
  return holding(
    poolLock(0),
    others.reduceRight((inner, lock) => [holding(lock, inner)], parts),
  );
}

/**
 * bpf_trampoline_multi_attach(): all or nothing. Between the two changes of ftrace some functions run the program
 * and others do not; no client can see a link that is half attached otherwise.
 */
export const bpfTrampolineMultiAttach = routine<BpfWorld, LinkArgs, MultiLocals>(
  'bpf_trampoline_multi_attach',
  (words) => {
    const { step, each, call, attempt, allocate, holding } = words;
    return [
      step('start', (_, locals) => {
        locals.got = [];
        locals.linked = [];
      }),
      attempt(
        [
          getTrampolines(words),
          // For new, changed and removed sites: the last of them only on detach.
          allocate('three hashes'),
          holdingAll(holding, [
            attempt([linkPrograms(words), ...changeSites(words)], [unlinkPrograms(words)]),
            freeOldImages(words),
          ]),
          step('clear the hashes', clearHashes),
        ],
        [
          each('target', (_, { got }) => got, takeTarget, [
            call(bpfTrampolinePut, (_, { target }) => ({ target })),
          ]),
        ],
      ),
    ];
  },
);

/** The program has to fit each function (bpf_check_attach_btf_id_multi()); then its trampoline is held. */
function getTrampolines({ each, refuseWith, call, step }: RoutineWords<BpfWorld, MultiLocals>): Part {
  return each('target', targetsById, takeTarget, [
    refuseWith(TARGET_ERRNOS, 'the program cannot attach to the function', (k, locals) =>
      refuseMultiTarget(k, locals, locals.target, 'program'),
    ),
    call(bpfTrampolineGet, (_, { target }) => ({ target })),
    step('remember it', (_, locals) => {
      locals.got.push({ target: locals.target, node: locals.node });
    }),
  ]);
}

/** The program is added to each list, and each image is generated; the sites are only noted. */
function linkPrograms({ each, step, call }: RoutineWords<BpfWorld, MultiLocals>): Part {
  return each('target', targetsOf, takeTarget, [
    step('remember its image', attachInit),
    call(linkProgLocked, (_, { link, target, node }) => ({ target, node, multi: link })),
    step('remember it', (_, locals) => {
      locals.linked.push({ target: locals.target, node: locals.node });
    }),
  ]);
}

/** bpf_trampoline_multi_attach_rollback() for each target that was linked. */
function unlinkPrograms({ each, call }: RoutineWords<BpfWorld, MultiLocals>): Part {
  return each('target', (_, { linked }) => linked, takeTarget, [
    call(removeProg, (_, { target, node }) => ({ target, node })),
    call(attachRollback, (_, { target }) => ({ target })),
  ]);
}

/** First all new sites, then all that call an image already. A failure of the second removes the first again. */
function changeSites({ when, call, attempt }: RoutineWords<BpfWorld, MultiLocals>): Part[] {
  return [
    when('sites are new', hasNewSites, [
      call(updateFtraceDirectAdd, (k, locals) => ({ ops: DIRECT_OPS, hash: linkOf(k, locals).reg })),
    ]),
    when('sites change', hasChangedSites, [
      attempt(
        [
          call(updateFtraceDirectMod, (k, locals) => ({
            ops: DIRECT_OPS,
            hash: linkOf(k, locals).modify,
            lockDirectMutex: true,
          })),
        ],
        [
          when('sites were new', hasNewSites, [
            call(
              updateFtraceDirectDel,
              (k, locals) => ({ ops: DIRECT_OPS, hash: linkOf(k, locals).reg }),
              warnFailed,
            ),
          ]),
        ],
      ),
    ]),
  ];
}

function hasNewSites(k: BpfView, locals: MultiLocals): boolean {
  return Object.keys(linkOf(k, locals).reg).length > 0;
}

function hasChangedSites(k: BpfView, locals: MultiLocals): boolean {
  return Object.keys(linkOf(k, locals).modify).length > 0;
}

/** Each trampoline puts the image from before the attach: no site calls it any more. */
function freeOldImages({ each, call }: RoutineWords<BpfWorld, MultiLocals>): Part {
  return each('target', targetsOf, takeTarget, [call(attachFree, (_, { target }) => ({ target }))]);
}

/** The hashes of the attach are freed. */
function clearHashes(k: BpfWorld, locals: MultiLocals): void {
  const link = linkOf(k, locals);
  link.reg = {};
  link.modify = {};
  link.unreg = {};
}

/** The rollback failed: sites call images that are about to be freed. */
function warnFailed(k: BpfWorld, _: MultiLocals, errno: Errno | 0): void {
  if (errno !== 0) warn(k, { is: 'multi link keeps its sites' });
}

/** bpf_trampoline_multi_detach(): failures only warn, as for any closed link. */
export const bpfTrampolineMultiDetach = routine<BpfWorld, LinkArgs, MultiLocals>(
  'bpf_trampoline_multi_detach',
  (words) => {
    const { each, step, call, holding, when } = words;
    return [
      holdingAll(holding, [
        each('target', targetsOf, takeTarget, [
          step('remember its image', attachInit),
          call(unlinkProgLocked, (_, { link, target, node }) => ({ target, node, multi: link }), warnDetach),
        ]),
        when('sites go', (k, locals) => Object.keys(linkOf(k, locals).unreg).length > 0, [
          call(
            updateFtraceDirectDel,
            (k, locals) => ({ ops: DIRECT_OPS, hash: linkOf(k, locals).unreg }),
            warnDetach,
          ),
        ]),
        when('sites change', hasChangedSites, [
          call(
            updateFtraceDirectMod,
            (k, locals) => ({ ops: DIRECT_OPS, hash: linkOf(k, locals).modify, lockDirectMutex: true }),
            warnDetach,
          ),
        ]),
        freeOldImages(words),
      ]),
      each('target', targetsOf, takeTarget, [call(bpfTrampolinePut, (_, { target }) => ({ target }))]),
      step('clear the hashes', clearHashes),
    ];
  },
);

/** A detach cannot fail; the site or the image stays as it was. */
function warnDetach(k: BpfWorld, _: MultiLocals, errno: Errno | 0): void {
  if (errno !== 0) warn(k, { is: 'multi link not taken off', errno, by: 'bpf_trampoline_multi_detach' });
}

export const tracingMulti: Design = {
  name: 'tracing multi',
  sentence: 'Each function has its own image; all are made first, and ftrace changes all sites in two calls.',
  source: 'kernel/bpf/trampoline.c of 7.2  bpf_trampoline_multi_attach, bpf_trampoline_multi_detach',
  kinds: ['fentry', 'fexit', 'fsession'],
  modulesHeldBy: 'program',
  // bpf_multi_func(void).
  readsNothing: true,
  needs: ({ directApi }) =>
    directApi === 'ops and hash' ? undefined : 'it has no update_ftrace_direct_add()',
  attach: bpfTrampolineMultiAttach,
  detach: bpfTrampolineMultiDetach,
};

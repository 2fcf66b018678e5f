import type { Errno } from '../core/errno.ts';
import type { Part } from '../core/part.ts';
import type { Words } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import { updateFtraceDirectAdd, updateFtraceDirectDel } from '../ftrace/direct-hash.ts';
import { updateFtraceDirectMod } from '../ftrace/direct-hash-modify.ts';
import { moduleOf } from '../text/module.ts';
import { linkProgLocked, removeProg, unlinkProgLocked } from './link.ts';
import { refuseNoreturn, refuseSleepable, refuseTarget } from './load.ts';
import { attachFree, attachInit, attachRollback } from './multi-image.ts';
import { targetFor } from './target.ts';
import { bpfTrampolineGet, bpfTrampolinePut, POOL_LOCKS, poolLock } from './trampoline.ts';
import type { BpfWorld, TrampNode } from './world.ts';

const DIRECT_OPS = 'direct_ops';

interface MultiArgs {
  link: string;
  target?: string;
  /** Targets whose trampoline is held, and those whose list the program stands in. */
  got?: string[];
  linked?: string[];
  stale?: string;
  errno?: Errno | 0;
}

function linkOf(k: BpfWorld, { link }: MultiArgs) {
  return k.bpf.links[link]!;
}

function takeTarget(at: MultiArgs, target: string): void {
  at.target = target;
}

/** The node of a multi link on one of its targets: cookies are counted up from the program's. */
function multiNode(k: BpfWorld, link: string, target: string): TrampNode {
  const { prog, targets } = k.bpf.links[link]!;
  const { cookie } = k.bpf.progs[prog]!.program;
  const given = cookie.hi !== 0 || cookie.lo !== 0;
  const order = targets.indexOf(target);
  return { link, prog, cookie: given ? { hi: cookie.hi, lo: (cookie.lo + order) | 0 } : cookie };
}

/** trampoline_lock_all(): every mutex of the pool, in ascending order. */
function holdingAll(holding: (lock: string, parts: readonly Part[]) => Part, parts: readonly Part[]): Part {
  const [all] = Array.from({ length: POOL_LOCKS }, (_, i) => poolLock(i)).reduceRight(
    (inner, lock) => [holding(lock, inner)],
    parts,
  );
  return all!;
}

/**
 * bpf_trampoline_multi_attach() (7.2): the program enters all lists and all images are made; then ftrace changes all
 * sites in two calls. Everything or nothing.
 */
export const bpfTrampolineMultiAttach = routine<BpfWorld, MultiArgs>(
  'bpf_trampoline_multi_attach',
  (words) => {
    const { step, each, call, attempt, allocate, holding } = words;
    return [
      step('start', (_, at) => {
        at.got = [];
        at.linked = [];
      }),
      attempt(
        [
          getTrampolines(words),
          allocate('three hashes'),
          holdingAll(holding, [
            attempt([linkPrograms(words), ...changeSites(words)], [unlinkPrograms(words)]),
            freeOldImages(words),
          ]),
          step('clear the hashes', clearHashes),
        ],
        [
          each('target', (_, { got }) => got!, takeTarget, [
            call(bpfTrampolinePut, (_, { target }) => ({ target: target! })),
          ]),
        ],
      ),
    ];
  },
);

/** The program has to fit each function; then its trampoline is held. */
function getTrampolines({ each, refuseWith, call, step }: Words<BpfWorld, MultiArgs>): Part {
  return each('target', (k, at) => linkOf(k, at).targets, takeTarget, [
    refuseWith(['EINVAL', 'EOPNOTSUPP', 'ENOENT'], 'the program cannot attach to the function', refuseId),
    call(bpfTrampolineGet, (_, { target }) => ({ target: target! })),
    step('remember it', (_, at) => {
      at.got!.push(at.target!);
    }),
  ]);
}

/** The program enters each list and each image is made anew; the sites are only noted. */
function linkPrograms({ each, step, call }: Words<BpfWorld, MultiArgs>): Part {
  return each('target', (k, at) => linkOf(k, at).targets, takeTarget, [
    step('remember its image', attachInit),
    call(linkProgLocked, (k, { link, target }) => ({
      target: target!,
      node: multiNode(k, link, target!),
      multi: link,
    })),
    step('remember it', (_, at) => {
      at.linked!.push(at.target!);
    }),
  ]);
}

function unlinkPrograms({ each, call }: Words<BpfWorld, MultiArgs>): Part {
  return each('target', (_, { linked }) => linked!, takeTarget, [
    call(removeProg, (k, { link, target }) => ({ target: target!, node: multiNode(k, link, target!) })),
    call(attachRollback, (_, { target }) => ({ target: target! })),
  ]);
}

/** In one call of ftrace all sites that are new, in another all that lead to an image already. */
function changeSites({ when, call, attempt }: Words<BpfWorld, MultiArgs>): Part[] {
  return [
    when('sites are new', hasNewSites, [
      call(updateFtraceDirectAdd, (k, at) => ({ ops: DIRECT_OPS, hash: linkOf(k, at).reg })),
    ]),
    when('sites change', hasChangedSites, [
      attempt(
        [
          call(updateFtraceDirectMod, (k, at) => ({
            ops: DIRECT_OPS,
            hash: linkOf(k, at).modify,
            lockDirectMutex: true,
          })),
        ],
        [
          when('sites were new', hasNewSites, [
            call(
              updateFtraceDirectDel,
              (k, at) => ({ ops: DIRECT_OPS, hash: linkOf(k, at).reg }),
              warnFailed,
            ),
          ]),
        ],
      ),
    ]),
  ];
}

function hasNewSites(k: BpfWorld, at: MultiArgs): boolean {
  return Object.keys(linkOf(k, at).reg).length > 0;
}

function hasChangedSites(k: BpfWorld, at: MultiArgs): boolean {
  return Object.keys(linkOf(k, at).modify).length > 0;
}

function freeOldImages({ each, call }: Words<BpfWorld, MultiArgs>): Part {
  return each('target', (k, at) => linkOf(k, at).targets, takeTarget, [
    call(attachFree, (_, { target }) => ({ target: target! })),
  ]);
}

function clearHashes(k: BpfWorld, at: MultiArgs): void {
  const link = linkOf(k, at);
  link.reg = {};
  link.modify = {};
  link.unreg = {};
}

function warnFailed(k: BpfWorld, _: MultiArgs, errno: Errno | 0): void {
  if (errno !== 0) warn(k, 'a multi link cannot take its sites back (bpf_trampoline_multi_attach)');
}

/** bpf_check_attach_btf_id_multi(). */
function refuseId(k: BpfWorld, at: MultiArgs): Errno | undefined {
  const { program } = k.bpf.progs[linkOf(k, at).prog]!;
  if (moduleOf(k, at.target!) !== undefined)
    throw new Error(`a multi link to ${at.target}, which is in a module: not modelled`);
  const target = targetFor(k, at.target!);
  if (target === undefined) return 'EINVAL';
  const errno = refuseNoreturn(target, program) ?? refuseTarget(target, program);
  if (errno !== undefined) return errno;
  if (k.ftrace.records[at.target!] === undefined) return 'ENOENT';
  return refuseSleepable(target, program);
}

/** bpf_trampoline_multi_detach(): what fails is only warned about. */
export const bpfTrampolineMultiDetach = routine<BpfWorld, MultiArgs>(
  'bpf_trampoline_multi_detach',
  (words) => {
    const { each, step, call, holding, when } = words;
    return [
      holdingAll(holding, [
        each('target', (k, at) => linkOf(k, at).targets, takeTarget, [
          step('remember its image', attachInit),
          call(
            unlinkProgLocked,
            (k, { link, target }) => ({ target: target!, node: multiNode(k, link, target!), multi: link }),
            warnDetach,
          ),
        ]),
        when('sites go', (k, at) => Object.keys(linkOf(k, at).unreg).length > 0, [
          call(
            updateFtraceDirectDel,
            (k, at) => ({ ops: DIRECT_OPS, hash: linkOf(k, at).unreg }),
            warnDetach,
          ),
        ]),
        when('sites change', hasChangedSites, [
          call(
            updateFtraceDirectMod,
            (k, at) => ({ ops: DIRECT_OPS, hash: linkOf(k, at).modify, lockDirectMutex: true }),
            warnDetach,
          ),
        ]),
        freeOldImages(words),
      ]),
      each('target', (k, at) => linkOf(k, at).targets, takeTarget, [
        call(bpfTrampolinePut, (_, { target }) => ({ target: target! })),
      ]),
      step('clear the hashes', clearHashes),
    ];
  },
);

function warnDetach(k: BpfWorld, _: MultiArgs, errno: Errno | 0): void {
  if (errno !== 0) warn(k, `a multi link could not be taken off: ${errno} (bpf_trampoline_multi_detach)`);
}

import type { FunctionName } from '../../core/ids.ts';
import type { Part } from '../../core/part.ts';
import { entry } from '../../core/present.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { warn } from '../../core/world.ts';
import { moduleOf } from '../../text/module.ts';
import { bpfTrampImagePut } from '../image-lifecycle.ts';
import { bpfTrampolinePut } from '../trampoline.ts';
import type { BpfView, BpfWorld } from '../world.ts';
import type { Design, LinkArgs } from './design.ts';
import { imageOfMulti } from './multi-agreement.ts';
import type { MultiIds, SetUpdate } from './multi-ids-set.ts';
import {
  allocIds,
  heldSingles,
  idsDisagreement,
  idsTrampoline,
  isMultiId,
  lookForIds,
  multiIdsOf,
  putIds,
  restored,
} from './multi-ids-set.ts';
import { linkSingles, unlinkSingles } from './multi-ids-singles.ts';
import { SITES_COUNTS } from './multi-ids-sites.ts';
import { commitIds, IDS_COUNTS, linkIds, unlinkIds } from './multi-ids-update.ts';
import { hasCookie, needsOwnOps, STUB_WORDS } from './stub-targets.ts';
import { idsOf, nodeWithoutCookie } from './targets.ts';

/*
 * Multi trampolines as of August 2022 (RFC, 17 patches), with simpler rules than those that split:
 *
 * ```text
 *   f3 has a trampoline, P is linked to {f1, f2, f3}:  T {f1, f2}  P     the multi-ids: no other link may have them
 *                                                      tr(f3)      P     the single-ids: open to single programs
 *   another link: the same three functions, or none of them
 * ```
 *
 * Every image with such a program is generated for six words and calls the original through the stack; the
 * signatures of the functions are never checked. The errors of the series are modelled too: the errno of
 * bpf_tramp_update_set() when it fails, the programs that a failed detach restores, the flags that stay those of
 * a discarded image. Two things are left out: `progs_cnt` of a trampoline of one function is always right here,
 * and no ops of several functions answers a live patch, which is EBUSY.
 */

/** An attach or a detach between its steps. */
interface IdsLocals extends LinkArgs {
  name: string;
  crosses?: boolean;
  target: FunctionName;
  singles: readonly string[];
  /** The update that was noted of the multi trampoline before. */
  noted: SetUpdate;
}

/**
 * bpf_tracing_multi_attach(), and bpf_trampoline_multi_attach() from the lock on. `trampoline_mutex` is held over
 * all of it, the changes by ftrace included, which is why a kernel with `singleDirectOps` cannot run it: ops_func
 * takes that lock.
 */
const attach = routine<BpfWorld, LinkArgs, IdsLocals>('bpf_trampoline_multi_attach (2022)', (words) => {
  const { refuse, allocate, each, holding, step, attempt, call } = words;
  return [
    refuse('EINVAL', 'a link has no cookies', hasCookie),
    allocate('the ids'),
    each('id', idsOf, takeTarget, [
      refuse('EINVAL', 'it is no function that ftrace manages', (k, { target }) => {
        return k.ftrace.records[target] === undefined || moduleOf(k, target) !== undefined;
      }),
    ]),
    allocate('the link'),
    holding('trampoline_mutex', [
      ...holdIds(words),
      attempt(
        [
          holding(lockOf, [
            call(linkIds, (k, locals) => ({ name: locals.name, node: nodeWithoutCookie(k, locals) })),
            linkAll(words),
          ]),
        ],
        [step('put it', letGo)],
      ),
    ]),
    // After `trampoline_mutex`: the notes are the link's own, and no other operation reads them.
    step('nothing is noted any more', forgetNotes),
  ];
});

/** The trampoline with exactly these functions, which is allocated if there is none, and a reference on it. */
function holdIds({ step, refuse, when, allocate }: RoutineWords<BpfWorld, IdsLocals>): Part[] {
  return [
    step('search for the same ids', (k, locals) => {
      Object.assign(locals, lookForIds(k, locals));
    }),
    refuse('EBUSY', 'another multi trampoline has one of them', (_, { crosses }) => crosses === true),
    when('they have none', (_, locals) => !('name' in locals), [
      allocate('the multi trampoline'),
      step('multi_trampoline_alloc', (k, locals) => {
        locals.name = allocIds(k, locals);
      }),
    ]),
    step('hold it', (k, locals) => {
      const tr = idsTrampoline(k, locals.name);
      tr.refcnt++;
      locals.noted = tr.update;
      multiIdsOf(k).links[locals.link] = locals.name;
    }),
  ];
}

function takeTarget(locals: { target: FunctionName }, target: FunctionName): void {
  locals.target = target;
}

/** `multi->mutex`, inside `trampoline_mutex`. */
function lockOf(_: BpfView, { name }: { name: string }): string {
  return `mutex of ${name}`;
}

/** The reference of the link is dropped, and the former note restored. */
function letGo(k: BpfWorld, { link, name, noted }: IdsLocals): void {
  idsTrampoline(k, name).update = noted;
  delete multiIdsOf(k).links[link];
  putIds(k, name);
}

/** The link has noted its sites for bpf_tramp_update_set(); they are done. */
function forgetNotes(k: BpfView, { link }: LinkArgs): void {
  Object.assign(entry(k.bpf.links, link), { reg: {}, modify: {}, unreg: {} });
}

/** The single trampolines, with ftrace inside; then the image of the others is committed. */
function linkAll({ attempt, call }: RoutineWords<BpfWorld, IdsLocals>): Part {
  return attempt(
    [
      call(linkSingles, (_, { link, name }) => ({ link, name, index: 0 })),
      call(commitIds, (_, { name }) => ({ name })),
    ],
    [call(rollbackIds, (_, { name }) => ({ name }))],
  );
}

/** bpf_trampoline_rollback() of the multi-ids: the programs as noted, and the new image is put. */
const rollbackIds = routine<BpfWorld, { name: string }, { name: string; made: string }>(
  'bpf_trampoline_rollback',
  ({ step, when, call }) => [
    // Only the kind of the link is restored; see `restored()`.
    step('restore the programs', (k, locals) => {
      const tr = idsTrampoline(k, locals.name);
      locals.made = tr.next;
      tr.next = '';
      tr.nodes = restored(k, tr.nodes, tr.update);
      tr.progsCnt--;
    }),
    when('an image was made', (_, { made }) => made !== '', [
      call(bpfTrampImagePut, (_, { made }) => ({ image: made })),
    ]),
  ],
);

interface DetachArgs extends LinkArgs {
  name: string;
}

/**
 * bpf_trampoline_multi_detach(). When it fails all references are kept, and the multi trampoline rolls back to
 * the programs that were noted when it last gained one.
 */
const bpfTrampolineMultiDetach = routine<BpfWorld, DetachArgs>(
  'bpf_trampoline_multi_detach (2022)',
  ({ holding, call, attempt, step }) => [
    holding('trampoline_mutex', [
      holding(lockOf, [
        call(unlinkIds, (k, locals) => ({ name: locals.name, node: nodeWithoutCookie(k, locals) })),
        attempt(
          [call(unlinkSingles, (_, { link, name }) => ({ link, name, index: 0 }))],
          [call(rollbackIds, (_, { name }) => ({ name }))],
        ),
        call(commitIds, (_, { name }) => ({ name })),
      ]),
      step('put it', (k, { name }) => putIds(k, name)),
    ]),
  ],
);

/**
 * bpf_tracing_multi_link_release(): the link is freed whether or not its program was detached. If it was not,
 * images keep calling a program whose last reference may go with the link; the references on the single
 * trampolines are leaked, which keeps those allocated.
 */
const detach = routine<BpfWorld, LinkArgs, IdsLocals>(
  'bpf_tracing_multi_link_release (2022)',
  ({ step, call, each }) => [
    step('read what it holds', (k, locals) => {
      locals.name = entry(multiIdsOf(k).links, locals.link);
      locals.singles = heldSingles(k, locals.link);
    }),
    call(
      bpfTrampolineMultiDetach,
      (_, { link, name }) => ({ link, name }),
      (k, locals, errno) => {
        if (errno === 0) return;
        locals.singles = [];
        warn(k, { is: 'multi link not taken off', errno, by: 'bpf_trampoline_multi_detach' });
      },
    ),
    each('trampoline of one function', (_, { singles }) => singles, takeTarget, [
      call(bpfTrampolinePut, (_, { target }) => ({ target })),
    ]),
    step('forget the link', (k, { link }) => {
      delete multiIdsOf(k).links[link];
    }),
  ],
);

/** Needs an ops for each trampoline: ops_func would take `trampoline_mutex` again. */
export const multiIds: Design = {
  name: 'multi ids',
  sentence:
    'Functions without a trampoline get one together, and are closed to single programs; those that have one get the program as well.',
  source: 'Olsa, August 2022, RFC, 17 patches  bpf_trampoline_multi_attach, bpf_tramp_update_set',
  kinds: ['fentry', 'fexit'],
  needs: needsOwnOps,
  start: () => ({ byName: {}, links: {}, updates: {} }) satisfies MultiIds,
  attach,
  detach,
  stubWords: STUB_WORDS,
  refuseSingle: (k, target, stage) => (stage === 'get' && isMultiId(k, target) ? 'ENOMEM' : undefined),
  imageOf: imageOfMulti,
  held: heldSingles,
  disagreement: idsDisagreement,
  // `updates` is part of the trampolines of one function, and goes with them.
  allocated: (k) => [...Object.keys(multiIdsOf(k).byName), ...Object.keys(multiIdsOf(k).links)],
  counts: [...IDS_COUNTS, ...SITES_COUNTS],
};

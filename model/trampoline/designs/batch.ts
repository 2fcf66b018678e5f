import type { Errno } from '../../core/errno.ts';
import type { FunctionName, LinkId } from '../../core/ids.ts';
import { entry } from '../../core/present.ts';
import { routine } from '../../core/routine.ts';
import { warn } from '../../core/world.ts';
import { linkProgLocked, unlinkProgLocked } from '../link.ts';
import { trLock, trOf } from '../trampoline.ts';
import type { BpfView, BpfWorld } from '../world.ts';
import type { BatchLink } from './batch-multi.ts';
import {
  batchOf,
  bpfTrampolineMultiGet,
  bpfTrampolineMultiPut,
  freeOf,
  isInMulti,
  multiOf,
} from './batch-multi.ts';
import type { Design, LinkArgs } from './design.ts';
import { filterCopies } from './filter-copies.ts';
import { sharedDisagreement, sharedOf } from './shared-image.ts';
import { linkShared, SHARED_COUNTS, unlinkShared } from './shared-link.ts';
import { hasCookie, needsOwnOps, STUB_WORDS } from './stub-targets.ts';
import { nodeWithoutCookie } from './targets.ts';

/*
 * The batch attach as it was posted in August 2021 (v4, 27 patches), on ftrace's interface of direct calls for
 * many functions. The errors of the series are modelled too: the comparison of ids (`looksSame()`), the count
 * that rises after the update (`linkNested`), the `multi_node` that a refused link keeps.
 *
 * ```text
 *   link {f1, f2, f3}, f3 has a trampoline    multi(f1): main {f1, f2}   one image, one ops
 *                                             nested tr(f3)              its own image, the program added
 * ```
 */

/**
 * bpf_tracing_multi_attach(): the multi trampoline first (bpf_trampoline_multi_get()), then the link, then its
 * program. The reference is dropped again when the program cannot be linked.
 */
const attach = routine<BpfWorld, LinkArgs>(
  'bpf_tracing_multi_attach',
  ({ refuse, allocate, call, attempt }) => [
    refuse('EINVAL', 'a link has no cookies', hasCookie),
    allocate('the ids'),
    call(bpfTrampolineMultiGet, (_, { link }) => ({ link })),
    attempt(
      [allocate('the link'), call(multiLinkProg, (_, { link }) => ({ link }))],
      [call(bpfTrampolineMultiPut, (_, { link }) => ({ link }))],
    ),
  ],
);

/** `linked`: the nested trampolines that have the program already, for the rollback. */
interface NestedLocals extends LinkArgs {
  linked: string[];
  target: FunctionName;
}

/**
 * bpf_trampoline_multi_link_prog(): the program is added to each nested trampoline, each with its own ftrace
 * update, and then to `main`. Calls between two updates see the program on some of its functions only. A refusal
 * leaves `multi_node` set for good: no later link of the program succeeds.
 */
const multiLinkProg = routine<BpfWorld, LinkArgs, NestedLocals>(
  'bpf_trampoline_multi_link_prog',
  ({ allocate, refuse, step, attempt, each, call }) => [
    allocate('the nodes'),
    refuse('EBUSY', 'the program has a multi link', (k, { link }) =>
      batchOf(k).multiNodes.includes(entry(k.bpf.links, link).prog),
    ),
    // prog->aux->multi_node: one multi link for each program.
    step('set multi_node', (k, locals) => {
      locals.linked = [];
      const batch = batchOf(k);
      batch.multiNodes = [...batch.multiNodes, entry(k.bpf.links, locals.link).prog].sort((a, b) => a - b);
    }),
    attempt(
      [
        each<string>('nested trampoline', (k, locals) => multiOf(k, locals).nested, takeTarget, [
          call(linkNested, (_, { link, target }) => ({ link, target })),
          step('remember it', (_, locals) => {
            locals.linked.push(locals.target);
          }),
        ]),
        call(linkShared, (k, locals) => ({
          name: multiOf(k, locals).name,
          node: nodeWithoutCookie(k, locals),
        })),
      ],
      [
        each<string>('linked trampoline', (_, { linked }) => linked, takeTarget, [
          call(unlinkNested, (_, { link, target }) => ({ link, target }), warnNested),
        ]),
      ],
    ),
  ],
);

/** bpf_trampoline_multi_unlink_prog(). It cannot fail; a nested trampoline that keeps the program only warns. */
const multiUnlinkProg = routine<BpfWorld, LinkArgs, NestedLocals>(
  'bpf_trampoline_multi_unlink_prog',
  ({ each, call, step }) => [
    each<string>('nested trampoline', (k, locals) => multiOf(k, locals).nested, takeTarget, [
      call(unlinkNested, (_, { link, target }) => ({ link, target }), warnNested),
    ]),
    // Only a link that succeeded gets here.
    step('clear multi_node', (k, { link }) => {
      const batch = batchOf(k);
      batch.multiNodes = batch.multiNodes.filter((prog) => prog !== entry(k.bpf.links, link).prog);
    }),
    call(unlinkShared, (k, locals) => ({
      name: multiOf(k, locals).name,
      node: nodeWithoutCookie(k, locals),
    })),
  ],
);

function takeTarget(locals: NestedLocals, target: FunctionName): void {
  locals.target = target;
}

/** A failure is only warned about: no caller can undo a detach. */
function warnNested(k: BpfWorld, _: NestedLocals, errno: Errno | 0): void {
  if (errno !== 0) warn(k, { is: 'program not taken off', errno, by: 'bpf_trampoline_multi_unlink_prog' });
}

/** A link and one of its nested trampolines. */
interface OneArgs extends LinkArgs {
  target: FunctionName;
}

/**
 * bpf_trampoline_link_prog() of a nested trampoline. Programs of multi links are counted so that images are
 * generated for the functions of the multi trampoline (needs_multi_model()), but after the update: the image for
 * the first of them fits the function alone, and the program reads its return value at the wrong offset.
 */
const linkNested = routine<BpfWorld, OneArgs>(
  'bpf_trampoline_link_prog (nested)',
  ({ holding, call, step }) => [
    holding(
      (k, { target }) => trLock(k, target),
      [
        call(linkProgLocked, (k, locals) => ({
          target: locals.target,
          node: nodeWithoutCookie(k, locals),
          multi: '',
        })),
        // After the update that has just generated the image without it.
        step('count the program', (k, locals) => countPrograms(k, locals, 1)),
      ],
    ),
  ],
);

/** The opposite order: counted down first, so that the next image fits the function alone again. */
const unlinkNested = routine<BpfWorld, OneArgs>(
  'bpf_trampoline_unlink_prog (nested)',
  ({ holding, call, step }) => [
    holding(
      (k, { target }) => trLock(k, target),
      [
        step('count one program less', (k, locals) => countPrograms(k, locals, -1)),
        call(unlinkProgLocked, (k, locals) => ({
          target: locals.target,
          node: nodeWithoutCookie(k, locals),
          multi: '',
        })),
      ],
    ),
  ],
);

/** `tr->multi.count`: while it is positive, images have the words of the multi trampoline. */
function countPrograms(k: BpfWorld, locals: OneArgs, by: number): void {
  const { counts } = batchOf(k);
  const tr = trOf(k, locals.target);
  const count = (counts[locals.target] ?? 0) + by;
  if (count > 0) {
    counts[locals.target] = count;
    tr.imageWords = sharedOf(k, multiOf(k, locals).name).words;
  } else {
    delete counts[locals.target];
    delete tr.imageWords;
  }
}

/** bpf_tracing_multi_link_release() and its dealloc: what fails only warns. */
const detach = routine<BpfWorld, LinkArgs>('bpf_tracing_multi_link_release', ({ call }) => [
  call(
    multiUnlinkProg,
    (_, { link }) => ({ link }),
    (k, _, errno) => {
      if (errno !== 0)
        warn(k, { is: 'multi link not taken off', errno, by: 'bpf_tracing_multi_link_release' });
    },
  ),
  call(bpfTrampolineMultiPut, (_, { link }) => ({ link })),
]);

/** The image shared by the functions of a multi trampoline; the nested ones have their own. */
function imageOf(k: BpfView, target: FunctionName): string {
  for (const [name, multi] of Object.entries(batchOf(k).multis))
    if (multi.ids.includes(target) && !multi.nested.includes(target)) return sharedOf(k, name).curImage;
  return '';
}

/**
 * A multi trampoline holds its nested ones once, however many links it has: the reference is counted for its
 * first link.
 */
function held(k: BpfView, link: LinkId): readonly string[] {
  const { links, multis } = batchOf(k);
  const name = links[link];
  const isFirst = Object.keys(links).find((other) => links[other] === name) === link;
  return name !== undefined && isFirst ? entry(multis, name).nested : [];
}

/** Needs an ops for each trampoline: `trampoline_mutex` is held while ftrace changes sites. */
export const batch: Design = {
  name: 'batch',
  sentence:
    'A set of functions has one image and one ops; functions that had a trampoline before keep it, with the program added.',
  source: 'Olsa, August 2021, v4, 27 patches  bpf_trampoline_multi_get, bpf_trampoline_multi_link_prog',
  kinds: ['fentry', 'fexit'],
  needs: needsOwnOps,
  start: () => ({ shared: {}, multis: {}, links: {}, counts: {}, multiNodes: [] }) satisfies BatchLink,
  attach,
  detach,
  stubWords: STUB_WORDS,
  // bpf_trampoline_get() only: a program that was loaded before the multi link was made still attaches.
  refuseSingle: (k, target, stage) => (stage === 'get' && isInMulti(k, target) ? 'EBUSY' : undefined),
  imageOf,
  held,
  disagreement: sharedDisagreement,
  counts: [
    ...SHARED_COUNTS,
    filterCopies('bpf_trampoline_multi_get', (k, locals) => freeOf(multiOf(k, locals))),
  ],
};

import type { Errno } from '../../core/errno.ts';
import { item } from '../../core/present.ts';
import { routine } from '../../core/routine.ts';
import { warn } from '../../core/world.ts';
import { trLock, trOf } from '../trampoline.ts';
import { bpfTrampolineUpdate } from '../update.ts';
import type { BpfView, BpfWorld, TrampNode } from '../world.ts';
import { unregisterMulti, updateMulti } from './multi-link.ts';
import { freeMulti, makeMulti, multiNamed, multiOf } from './multi-trampoline.ts';
import type { Ids } from './partition.ts';

/*
 * Splitting a trampoline (November 2021, patch 19 of 29): it is unregistered from all of its functions and
 * registered on the two parts. In between its programs miss every call, and another client may take a function
 * that has no direct call.
 *
 * ```text
 *   client#1: bpf_trampoline_split(T {f1, f2})         task#1 on cpu 0: f2()
 *   ------------------------------------------         ------------------------------------
 *   bpf_trampoline_unregister(T)
 *                                                      site is a nop: the program misses it
 *   bpf_trampoline_register(T  {f1})
 *   bpf_trampoline_register(T' {f2})
 * ```
 */

/** A part: its functions, its programs, and the serial of the trampoline before the split. */
interface PartArgs {
  ids: Ids;
  nodes: readonly TrampNode[];
  serial: number;
}

/**
 * bpf_trampoline_register(): several functions get a trampoline of their own with these programs, a single one
 * uses the kernel's. A refusal by ftrace only warns; that function then has no program at all.
 */
const registerPart = routine<BpfWorld, PartArgs>('bpf_trampoline_register', (words) => {
  const { step, when, call, holding, attempt } = words;
  return [
    when(
      'it has several functions',
      hasSeveral,
      [
        step('give it functions and programs', (k, { ids, nodes }) =>
          makeMulti(k, ids, { nodes: [...nodes] }),
        ),
        call(updateMulti, (_, { ids }) => ({ tr: multiNamed(ids) })),
      ],
      [
        holding(
          (k, locals) => trLock(k, single(locals)),
          [
            step('give it the programs', (k, locals) => {
              trOf(k, single(locals)).nodes = [...locals.nodes];
            }),
            attempt([call(bpfTrampolineUpdate, ofSingle)], [step('take them off', takeNodes)]),
          ],
        ),
      ],
    ),
  ];
});

/** bpf_trampoline_dup_destroy(), and the same for a single function: its programs are removed. */
export const destroyPart = routine<BpfWorld, OfPart>('bpf_trampoline_dup_destroy', (words) => {
  const { step, when, call, holding } = words;
  return [
    when(
      'it has several functions',
      hasSeveral,
      [
        call(unregisterMulti, (_, { ids }) => ({ tr: multiNamed(ids) }), warnPart),
        step('free it', (k, { ids }) => freeMulti(k, multiNamed(ids))),
      ],
      [
        holding(
          (k, locals) => trLock(k, single(locals)),
          [
            step('take its programs', takeNodes),
            when('a site calls it', (k, locals) => trOf(k, single(locals)).curImage !== '', [
              call(bpfTrampolineUpdate, ofSingle, warnPart),
            ]),
          ],
        ),
      ],
    ),
  ];
});

type OfPart = Pick<PartArgs, 'ids'>;

/** A part of one function uses the kernel's trampoline. */
function hasSeveral(_: BpfView, { ids }: OfPart): boolean {
  return ids.length > 1;
}

function single({ ids }: OfPart): string {
  return item(ids, 0);
}

function ofSingle(_: BpfView, locals: OfPart) {
  return { target: single(locals), lockDirectMutex: true, multi: '' };
}

/** The programs are dropped without an update: the image was put before. */
function takeNodes(k: BpfWorld, locals: OfPart): void {
  trOf(k, single(locals)).nodes = [];
}

/** A part that could not be changed: the client that caused the split gets no error. */
function warnPart(k: BpfWorld, { ids }: { ids: Ids }, errno: Errno | 0): void {
  if (errno !== 0) warn(k, { is: 'split trampoline not made', targets: ids, errno });
}

/** A trampoline by its functions, and the two parts that it is split into. */
export interface SplitArgs {
  ids: Ids;
  common: Ids;
  other: Ids;
  serial: number;
  /** The copy has its programs in the order of the original. */
  inOrder?: boolean;
}

interface SplitLocals extends SplitArgs {
  /** The programs, the oldest first. */
  nodes: readonly TrampNode[];
}

/**
 * bpf_trampoline_split(). The programs of the other part are copied: the newest is put at the head of the copy
 * first, so they run there in the opposite order (bpf_trampoline_dup()). Without memory for the copy, the old
 * trampoline is registered again.
 */
export const bpfTrampolineSplit = routine<BpfWorld, SplitArgs, SplitLocals>(
  'bpf_trampoline_split',
  (words) => {
    const { step, call, allocate, attempt } = words;
    return [
      step('read its programs', (k, locals) => {
        locals.nodes = [...multiOf(k, multiNamed(locals.ids)).nodes];
      }),
      call(unregisterMulti, (_, { ids }) => ({ tr: multiNamed(ids) })),
      attempt(
        [allocate('a trampoline with the same programs')],
        [call(updateMulti, (_, { ids }) => ({ tr: multiNamed(ids) }), warnSplit)],
      ),
      step('divide the functions', (k, { ids }) => freeMulti(k, multiNamed(ids))),
      call(registerPart, (_, { common, nodes, serial }) => ({ ids: common, nodes, serial }), warnSplit),
      call(
        registerPart,
        (_, { other, nodes, serial, inOrder = false }) => ({
          ids: other,
          nodes: inOrder ? nodes : nodes.toReversed(),
          serial,
        }),
        warnSplit,
      ),
    ];
  },
);

/** tramp_state_revert(): the functions of both parts get one trampoline again, with a third gap. */
export const trampStateRevert = routine<BpfWorld, SplitArgs, SplitLocals>(
  'tramp_state_revert',
  ({ step, call }) => [
    step('read its programs', (k, locals) => {
      locals.nodes = nodesOfPart(k, locals.common);
    }),
    call(destroyPart, (_, { other }) => ({ ids: other })),
    call(destroyPart, (_, { common }) => ({ ids: common })),
    call(registerPart, (_, { ids, nodes, serial }) => ({ ids, nodes, serial }), warnSplit),
  ],
);

/** The programs of a part, the oldest first. */
function nodesOfPart(k: BpfView, ids: Ids): readonly TrampNode[] {
  return ids.length > 1 ? multiOf(k, multiNamed(ids)).nodes : trOf(k, item(ids, 0)).nodes;
}

function warnSplit(k: BpfWorld, { ids }: SplitArgs, errno: Errno | 0): void {
  warnPart(k, { ids }, errno);
}

import type { FunctionName } from '../../core/ids.ts';
import type { Part, Routine } from '../../core/part.ts';
import { entry, item } from '../../core/present.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { bpfTrampImagePut } from '../image-lifecycle.ts';
import { linkProgLocked, unlinkProgLocked } from '../link.ts';
import { trLock, trOf } from '../trampoline.ts';
import type { BpfView, BpfWorld } from '../world.ts';
import type { LinkArgs } from './design.ts';
import type { SetUpdate } from './multi-ids-set.ts';
import { idsTrampoline, multiIdsOf, noteUpdate, restored } from './multi-ids-set.ts';
import { bpfTrampUpdateSet } from './multi-ids-sites.ts';
import { STUB_WORDS } from './stub-targets.ts';
import { nodeWithoutCookie } from './targets.ts';
import { attachFree, attachInit } from './tracing-multi-image.ts';

/*
 * August 2022: what a link does to the existing trampolines of one function. Their mutexes are taken one after
 * the other, in the order of the ids, and all are held until ftrace has answered: two links with the same
 * functions in another order could deadlock, but for `trampoline_mutex` around them.
 */

/** The recursion over the single trampolines: those before `index` are locked. */
interface SinglesArgs extends LinkArgs {
  name: string;
  /** The mutexes of those before it are held. */
  index: number;
}

interface SinglesLocals extends SinglesArgs {
  target: FunctionName;
  /** The note of an earlier link. */
  noted: SetUpdate | undefined;
}

/** Order of locking: that of the ids of the multi trampoline, the same for all of its links. */
function takeSingle(k: BpfView, locals: SinglesLocals): void {
  locals.target = item(idsTrampoline(k, locals.name).singles, locals.index);
}

function hasNext(k: BpfView, { name, index }: SinglesLocals): boolean {
  return index < idsTrampoline(k, name).singles.length;
}

/**
 * The program is added to each trampoline of one function, recursively: the mutex of this one is held while the
 * next is processed. With all mutexes held, bpf_tramp_update_set() changes the sites.
 */
export const linkSingles: Routine<BpfWorld, SinglesArgs> = routine<BpfWorld, SinglesArgs, SinglesLocals>(
  'bpf_trampoline_multi_attach: singles',
  (words) => {
    const { when, step, holding, attempt, call } = words;
    return [
      when(
        'one is left',
        hasNext,
        [
          step('take it', takeSingle),
          holding(
            (k, { target }) => trLock(k, target),
            [
              // `old_image` serves the rollback while the mutex is held.
              step('remember its image', (k, locals) => {
                attachInit(k, locals);
                trOf(k, locals.target).stubWords = STUB_WORDS;
              }),
              attempt([call(linkProgLocked, ofSingle)], [step('forget its image', forgetImage)]),
              step('hold it, and note what was there', (k, locals) => {
                const { updates } = multiIdsOf(k);
                const tr = trOf(k, locals.target);
                tr.refcnt++;
                locals.noted = updates[locals.target];
                updates[locals.target] = noteUpdate(k, tr.nodes, nodeWithoutCookie(k, locals));
              }),
              linkRest(words),
              // ftrace has answered for all by now: the previous image has no site left.
              call(attachFree, (_, { target }) => ({ target })),
            ],
          ),
        ],
        [call(bpfTrampUpdateSet, (_, { link, name }) => ({ link, name }))],
      ),
    ];
  },
);

/** The next one, with the mutex of this one held. */
function linkRest({ attempt, call, step }: RoutineWords<BpfWorld, SinglesLocals>): Part {
  return attempt(
    [call(linkSingles, next)],
    [
      call(rollbackSingle, (_, { target }) => ({ target })),
      step('put it', (k, { target, noted }) => {
        const { updates } = multiIdsOf(k);
        if (noted === undefined) delete updates[target];
        else updates[target] = noted;
        trOf(k, target).refcnt--;
      }),
    ],
  );
}

/** The program enters the trampoline of one function; its site is noted with the link. */
function ofSingle(k: BpfView, locals: SinglesLocals) {
  return { target: locals.target, node: nodeWithoutCookie(k, locals), multi: locals.link };
}

function next(_: BpfView, { link, name, index }: SinglesArgs): SinglesArgs {
  return { link, name, index: index + 1 };
}

/** The trampoline keeps its image: nothing is left to restore. */
function forgetImage(k: BpfWorld, { target }: { target: FunctionName }): void {
  const tr = trOf(k, target);
  tr.oldImage = '';
  tr.oldFlags = null;
  chooseWords(k, target);
}

/**
 * Its images fit the stub while a program of a multi link is attached, other than that of a link that detaches.
 */
function chooseWords(k: BpfWorld, target: FunctionName, leaving = ''): void {
  const tr = trOf(k, target);
  const isMulti = tr.nodes.some(
    ({ prog, link }) => link !== leaving && entry(k.bpf.progs, prog).program.multi,
  );
  if (isMulti) tr.stubWords = STUB_WORDS;
  else delete tr.stubWords;
}

/**
 * The program is removed from each of them. Unlinking takes no notes: if a later one is refused, the earlier ones
 * are restored to the programs from before the last multi link was attached, which may bring back programs that
 * have been detached since.
 */
export const unlinkSingles: Routine<BpfWorld, SinglesArgs> = routine<BpfWorld, SinglesArgs, SinglesLocals>(
  'bpf_trampoline_multi_detach: singles',
  (words) => {
    const { when, step, holding, attempt, call, refuse } = words;
    return [
      when(
        'one is left',
        hasNext,
        [
          step('take it', takeSingle),
          refuse('EINVAL', 'it is gone', (k, { target }) => k.bpf.trampolines[target] === undefined),
          holding(
            (k, { target }) => trLock(k, target),
            [
              refuse('ENOENT', 'the program is not attached there', (k, locals) =>
                trOf(k, locals.target).nodes.every(({ prog }) => prog !== nodeWithoutCookie(k, locals).prog),
              ),
              step('remember its image', (k, locals) => {
                attachInit(k, locals);
                chooseWords(k, locals.target, locals.link);
              }),
              attempt([call(unlinkProgLocked, ofSingle)], [step('forget its image', forgetImage)]),
              attempt([call(unlinkSingles, next)], [call(rollbackSingle, (_, { target }) => ({ target }))]),
              call(attachFree, (_, { target }) => ({ target })),
            ],
          ),
        ],
        [call(bpfTrampUpdateSet, (_, { link, name }) => ({ link, name }))],
      ),
    ];
  },
);

/**
 * bpf_trampoline_rollback() of a trampoline of one function: the program list as noted, the previous image, and
 * the new one is put. The flags that bpf_trampoline_update() computed for the discarded image are not restored,
 * so that the next update compares with flags of an image that no site calls.
 */
const rollbackSingle = routine<BpfWorld, { target: FunctionName }, { target: FunctionName; made: string }>(
  'bpf_trampoline_rollback (single)',
  ({ step, when, call }) => [
    step('restore the programs', (k, locals) => {
      const tr = trOf(k, locals.target);
      locals.made = tr.curImage;
      tr.nodes = restored(k, tr.nodes, entry(multiIdsOf(k).updates, locals.target));
      tr.curImage = tr.oldImage;
      forgetImage(k, locals);
    }),
    when('an image was made', (_, { made }) => made !== '', [
      call(bpfTrampImagePut, (_, { made }) => ({ image: made })),
    ]),
  ],
);

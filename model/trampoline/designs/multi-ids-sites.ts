import type { Errno } from '../../core/errno.ts';
import type { CodeName, FunctionName } from '../../core/ids.ts';
import { entry } from '../../core/present.ts';
import { routine } from '../../core/routine.ts';
import { registerFtraceDirect, unregisterFtraceDirect } from '../../ftrace/direct.ts';
import { modifyFtraceDirect } from '../../ftrace/direct-modify.ts';
import { fopsOf, trOf } from '../trampoline.ts';
import type { BpfView, BpfWorld } from '../world.ts';
import { counted } from './count.ts';
import type { LinkArgs } from './design.ts';
import { idsTrampoline } from './multi-ids-set.ts';
import { modifyMulti, registerMulti, unregisterSites } from './multi-sites.ts';

/*
 * August 2022, patch 10 of 17: when all images are generated, ftrace changes the sites of one trampoline after
 * the other. A call of the second function before its turn runs the old image.
 */

type ErrnoArgs = { errno: Errno | 0 };

function keepErrno(_: BpfView, locals: ErrnoArgs, errno: Errno | 0): void {
  locals.errno = errno;
}

interface SetArgs extends LinkArgs {
  name: string;
}

interface SetLocals extends SetArgs, ErrnoArgs {
  target: FunctionName;
  /** `rollback_cnt`: trampolines of one function that were changed. */
  changed: number;
}

/**
 * bpf_tramp_update_set(): the trampolines of one function one by one, then the shared one. If ftrace refuses one,
 * those before it are changed back, and the errno answered is that of the last of these changes: 0 if it
 * succeeds. If already the first is refused, all are changed back.
 *
 * ```text
 *   f1: registered   f2: registered   f3: EBUSY
 *   f1: changed back (0)              f2: changed back (0)        answer 0: the link exists, and no site calls its image
 * ```
 */
export const bpfTrampUpdateSet = routine<BpfWorld, SetArgs, SetLocals>('bpf_tramp_update_set', (words) => {
  const { step, each, when, call, refuseWith } = words;
  const goesWell = (_: BpfView, { errno }: SetLocals) => errno === 0;
  return [
    step('start', (_, locals) => {
      locals.errno = 0;
      locals.changed = 0;
    }),
    each('trampoline of one function', singlesOf, takeTarget, [
      when('all went well', goesWell, [
        call(changeSingle, (_, { link, target }) => ({ link, target }), keepErrno),
        step('count it', (_, locals) => {
          if (locals.errno === 0) locals.changed = locals.changed + 1;
        }),
      ]),
    ]),
    when('all went well', goesWell, [call(changeSites, (_, { name }) => ({ name }), keepErrno)]),
    when('it failed', (_, { errno }) => errno !== 0, [
      each('trampoline to lead back', toLeadBack, takeTarget, [
        call(leadBack, (_, { link, target }) => ({ link, target }), keepErrno),
      ]),
    ]),
    refuseWith(
      ['EINVAL', 'EBUSY', 'ENODEV', 'ENOMEM', 'EAGAIN'],
      'ftrace refuses, and the last that is led back as well',
      (_, { errno }) => (errno === 0 ? undefined : errno),
    ),
  ];
});

function singlesOf(k: BpfView, { name }: { name: string }): readonly string[] {
  return idsTrampoline(k, name).singles;
}

function takeTarget(locals: { target: FunctionName }, target: FunctionName): void {
  locals.target = target;
}

/** `rollback_cnt` is 0 when the first was refused, and the loop then runs over all of them. */
function toLeadBack(k: BpfView, locals: SetLocals): readonly string[] {
  return locals.changed === 0 ? singlesOf(k, locals) : singlesOf(k, locals).slice(0, locals.changed);
}

interface SingleArgs extends LinkArgs {
  target: FunctionName;
}

/**
 * The link noted a registration: the trampoline had no image. bpf_trampoline_update() wrote the note instead of
 * calling ftrace, when it was given a link to write to.
 */
function isNew(k: BpfView, { link, target }: SingleArgs): boolean {
  return entry(k.bpf.links, link).reg[target] !== undefined;
}

/** The link noted an unregistration: no program is left. */
function isLeft(k: BpfView, { link, target }: SingleArgs): boolean {
  return entry(k.bpf.links, link).unreg[target] !== undefined;
}

function direct(k: BpfView, target: FunctionName, addr: CodeName) {
  return { ops: fopsOf(k, target), addr };
}

/**
 * One function: its site calls the new image. The ops of a trampoline without programs so far has an empty
 * filter, and is registered without one.
 */
const changeSingle = routine<BpfWorld, SingleArgs>('bpf_tramp_update_set: change', ({ when, call }) => [
  when(
    'the first program has come',
    isNew,
    [call(registerFtraceDirect, (k, { target }) => direct(k, target, trOf(k, target).curImage))],
    [
      when(
        'the last program has left',
        isLeft,
        [
          call(unregisterFtraceDirect, (k, { target }) => ({
            ...direct(k, target, trOf(k, target).oldImage),
            freeFilters: false,
          })),
        ],
        [call(modifyFtraceDirect, (k, { target }) => direct(k, target, trOf(k, target).curImage))],
      ),
    ],
  ),
]);

/**
 * One function: back to the previous image. The opposite of `changeSingle`, by the same notes: the site of
 * a registration that is undone is a nop again.
 */
const leadBack = routine<BpfWorld, SingleArgs>('bpf_tramp_update_set: rollback', ({ when, call }) => [
  when(
    'the first program has come',
    isNew,
    [
      call(unregisterFtraceDirect, (k, { target }) => ({
        ...direct(k, target, trOf(k, target).curImage),
        freeFilters: false,
      })),
    ],
    [
      when(
        'the last program has left',
        isLeft,
        [call(registerFtraceDirect, (k, { target }) => direct(k, target, trOf(k, target).oldImage))],
        [call(modifyFtraceDirect, (k, { target }) => direct(k, target, trOf(k, target).oldImage))],
      ),
    ],
  ),
]);

/**
 * The functions that share a trampoline; if there are none, the filter is empty, which register_ftrace_direct()
 * refuses (EINVAL): the trampolines of one function are then changed back.
 */
const changeSites = routine<BpfWorld, { name: string }>('bpf_tramp_update_set: change all', (words) => {
  const { when, call, step } = words;
  const tr = ({ name }: { name: string }) => ({ tr: name });
  return [
    step('one filter after the other', () => {}),
    when(
      'the first program has come',
      (k, { name }) => idsTrampoline(k, name).image === '',
      [call(registerMulti, (k, locals) => ({ ...tr(locals), image: idsTrampoline(k, locals.name).next }))],
      [
        when(
          'the last program has left',
          (k, { name }) => idsTrampoline(k, name).next === '',
          [call(unregisterSites, (_, locals) => tr(locals))],
          [call(modifyMulti, (k, locals) => ({ ...tr(locals), image: idsTrampoline(k, locals.name).next }))],
        ),
      ],
    ),
  ];
});

/** ftrace_set_filter_ip() for each function: see `filter-copies.ts`. */
export const SITES_COUNTS = [
  counted<{ name: string }>(
    'bpf_tramp_update_set: change all',
    'one filter after the other',
    (k, { name }) => {
      const { image, ids } = idsTrampoline(k, name);
      return image === '' ? { entriesCopied: ids.length * (ids.length - 1) } : {};
    },
  ),
];

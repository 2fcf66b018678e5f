import type { FunctionName } from '../../core/ids.ts';
import type { Part } from '../../core/part.ts';
import { entry, item } from '../../core/present.ts';
import type { DeepReadonly } from '../../core/readonly.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { freeOps } from '../../ftrace/filter-hash.ts';
import { ftraceSetFilterIps } from '../../ftrace/set-filter.ts';
import { functionNamed } from '../traced-function.ts';
import { bpfTrampolinePut } from '../trampoline.ts';
import type { BpfView, BpfWorld } from '../world.ts';
import type { LinkArgs } from './design.ts';
import { designData } from './design.ts';
import type { SharedTrampolines } from './shared-image.ts';
import { sharedOf } from './shared-image.ts';
import { opsOfShared } from './shared-link.ts';
import { isOfWords, refuseStubTarget, STUB_TARGET_ERRNOS, wordsOf } from './stub-targets.ts';

/*
 * struct bpf_trampoline_multi of August 2021: a set of functions, disjoint from every other such set. Functions
 * that had a single trampoline when the set was made are nested in it; the others share one of its own, `main`.
 * `trampoline_mutex` is held over the whole search and creation, ftrace's filter included.
 */

/**
 * State of the batch attach: multi trampolines, each named after its first function, with its `main` in `shared`.
 */
export interface BatchLink extends SharedTrampolines {
  multis: Record<string, Multi>;
  /** The multi trampoline of each link. */
  links: Record<string, string>;
  /** Programs of multi links on each nested trampoline (`tr->multi.count`). */
  counts: Record<string, number>;
  /** Programs whose `multi_node` is set: each has one multi link at a time. */
  multiNodes: number[];
}

/** `struct bpf_trampoline_multi`. */
interface Multi {
  /** Sorted by their BTF ids. */
  readonly ids: readonly string[];
  readonly nested: readonly string[];
  refcnt: number;
}

export function batchOf(k: BpfWorld): BatchLink;
export function batchOf(k: BpfView): DeepReadonly<BatchLink>;
export function batchOf(k: BpfView): DeepReadonly<BatchLink> {
  return designData<BatchLink>(k);
}

/** The multi trampoline of a link. */
export function multiOf(k: BpfView, { link }: LinkArgs): { readonly name: string } & Multi {
  const name = entry(batchOf(k).links, link);
  return { name, ...entry(batchOf(k).multis, name) };
}

/** is_in_multi(): single programs are refused on such a function (EBUSY). */
export function isInMulti(k: BpfView, target: FunctionName): boolean {
  return Object.values(batchOf(k).multis).some(({ ids }) => ids.includes(target));
}

/** The functions without their own trampoline: the filter of the ops. */
export function freeOf({ ids, nested }: Multi): string[] {
  const own = new Set(nested);
  return ids.filter((id) => !own.has(id));
}

/** BTF's number of a function. */
function btfId(k: BpfView, name: string): number {
  return functionNamed(k.functions, name)?.id ?? 0;
}

/** bpf_trampoline_multi_get() between its steps. */
interface GetLocals extends LinkArgs {
  ids: readonly string[];
  /** One with the same ids, or with ids that look the same. */
  same: string;
  intersects?: boolean;
  target: FunctionName;
}

/**
 * bpf_trampoline_multi_get(): the multi trampoline of a link's functions. The same set is shared; a set that
 * overlaps with another is EINVAL. (A function that is nested elsewhere overlaps: the check for it, EBUSY, comes
 * later and is never reached.) The ops is not registered yet, so no call sees its filter grow.
 */
export const bpfTrampolineMultiGet = routine<BpfWorld, LinkArgs, GetLocals>(
  'bpf_trampoline_multi_get',
  (words) => {
    const { step, holding, when, finish, refuse, allocate, attempt } = words;
    return [
      step('sort the ids', (k, locals) => {
        const ids = entry(k.bpf.links, locals.link).targets.map((name) => ({ name, id: btfId(k, name) }));
        locals.ids = ids.sort((a, b) => a.id - b.id).map(({ name }) => name);
      }),
      holding('trampoline_mutex', [
        step('search for the same ids', lookForSame),
        when('they have one', (_, locals) => 'same' in locals, [
          step('share it', (k, { link, same }) => {
            batchOf(k).links[link] = same;
            entry(batchOf(k).multis, same).refcnt++;
          }),
        ]),
        finish('they have one', (_, locals) => 'same' in locals),
        refuse(
          'EINVAL',
          'another multi trampoline has one of them',
          (_, { intersects }) => intersects === true,
        ),
        allocate('the multi trampoline'),
        step('make it', makeMulti),
        attempt(addFunctions(words), [step('free it', freeMulti)]),
      ]),
    ];
  },
);

/** The list is searched until a set is the same, or has a function in common. */
function lookForSame(k: BpfView, locals: GetLocals): void {
  const wanted = new Set(locals.ids);
  for (const [name, { ids }] of Object.entries(batchOf(k).multis)) {
    if (looksSame(k, locals.ids, ids)) {
      locals.same = name;
      return;
    }
    if (ids.some((id) => wanted.has(id))) {
      locals.intersects = true;
      return;
    }
  }
}

/**
 * As posted: memcmp() gets the number of ids as its length in bytes, and an id has four. Of {f1, f2} and {f1, f3}
 * only two bytes of the first id are compared: the second link is attached to the functions of the first.
 */
function looksSame(k: BpfView, a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((_, index) => byteAt(k, a, index) === byteAt(k, b, index));
}

/** One byte of an array of ids in memory, the lowest byte of each first. */
function byteAt(k: BpfView, ids: readonly string[], index: number): number {
  return (btfId(k, item(ids, index >> 2)) >>> (8 * (index & 3))) & 0xff;
}

/** Which functions are nested is decided here, once: a trampoline that appears later stays outside. */
function makeMulti(k: BpfWorld, { link, ids }: GetLocals): void {
  const batch = batchOf(k);
  const name = `multi(${item(ids, 0)})`;
  const nested = ids.filter((id) => k.bpf.trampolines[id] !== undefined);
  batch.links[link] = name;
  batch.multis[name] = { ids: ids, nested, refcnt: 1 };
  batch.shared[name] = { serial: ++k.bpf.serial, words: 0, nodes: [], curImage: '' };
}

/** `main` goes with it; its ops was never registered, or has been unregistered. */
function freeMulti(k: BpfWorld, { link }: LinkArgs): void {
  const { name } = multiOf(k, { link });
  const batch = batchOf(k);
  freeOps(k, opsOfShared(name));
  delete batch.multis[name];
  delete batch.shared[name];
  delete batch.links[link];
}

/**
 * Functions with a trampoline were checked when they got it, and are held from now on; the others are checked
 * here. `main` prepares the arguments of the function with the most.
 */
function addFunctions({
  each,
  when,
  refuse,
  refuseWith,
  step,
  call,
}: RoutineWords<BpfWorld, GetLocals>): Part[] {
  return [
    each<string>('id', (_, { ids }) => ids, takeTarget, [
      refuse('EINVAL', 'it is declared with more than words', (k, { target }) => {
        return functionNamed(k.functions, target) !== undefined && !isOfWords(k, target);
      }),
      when('it has no trampoline', (k, { target }) => k.bpf.trampolines[target] === undefined, [
        refuseWith(STUB_TARGET_ERRNOS, 'the program cannot attach to it', (k, locals) =>
          refuseStubTarget(k, locals, locals.target),
        ),
        step('count its arguments', (k, locals) => {
          const main = sharedOf(k, multiOf(k, locals).name);
          main.words = Math.max(main.words, wordsOf(k, locals.target));
        }),
      ]),
    ]),
    step('one filter after the other', () => {}),
    when('some have none', (k, locals) => freeOf(multiOf(k, locals)).length > 0, [
      call(ftraceSetFilterIps, (k, locals) => ({
        ops: opsOfShared(multiOf(k, locals).name),
        ips: freeOf(multiOf(k, locals)),
        remove: false,
        reset: false,
      })),
    ]),
    each<string>('nested trampoline', (k, locals) => multiOf(k, locals).nested, takeTarget, [
      step('hold it', (k, { target }) => {
        entry(k.bpf.trampolines, target).refcnt++;
      }),
    ]),
  ];
}

function takeTarget(locals: { target: FunctionName }, target: FunctionName): void {
  locals.target = target;
}

interface PutLocals extends LinkArgs {
  last: boolean;
  nested: readonly string[];
  target: FunctionName;
}

/** bpf_trampoline_multi_put(). The nested trampolines are put after trampoline_mutex has been dropped. */
export const bpfTrampolineMultiPut = routine<BpfWorld, LinkArgs, PutLocals>(
  'bpf_trampoline_multi_put',
  ({ holding, step, when, each, call }) => [
    holding('trampoline_mutex', [
      step('drop a reference', (k, locals) => {
        const { name, nested } = multiOf(k, locals);
        locals.nested = nested;
        locals.last = --entry(batchOf(k).multis, name).refcnt === 0;
      }),
      when(
        'it is the last',
        (_, { last }) => last,
        [step('free it', freeMulti)],
        [
          step('the link has none', (k, { link }) => {
            delete batchOf(k).links[link];
          }),
        ],
      ),
    ]),
    when('it was the last', (_, { last }) => last, [
      each<string>('nested trampoline', (_, { nested }) => nested, takeTarget, [
        call(bpfTrampolinePut, (_, { target }) => ({ target })),
      ]),
    ]),
  ],
);

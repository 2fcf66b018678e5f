import type { FunctionName, LinkId } from '../../core/ids.ts';
import { Oops } from '../../core/oops.ts';
import { entry } from '../../core/present.ts';
import type { DeepReadonly } from '../../core/readonly.ts';
import type { BpfView, BpfWorld, TrampNode } from '../world.ts';
import type { LinkArgs } from './design.ts';
import { designData } from './design.ts';
import type { Disagreement } from './disagreement.ts';
import type { MultiTrampoline } from './multi-trampoline.ts';
import { freeMulti, multiNamed, multiOf } from './multi-trampoline.ts';
import type { Ids } from './partition.ts';
import { cut } from './partition.ts';

/*
 * The trampolines of several functions of August 2022: three sets (`struct bpf_tramp_id`) for each.
 *
 * ```text
 *   id          {f1, f2, f3}    all functions of its links
 *   id_multi    {f1, f2}        functions that had no trampoline: they share its image
 *   id_singles  {f3}            functions that had one: each gets every program as well
 * ```
 */

/** `struct bpf_tramp_update`: a change that a link is about to make to a trampoline, and its rollback. */
export interface SetUpdate {
  readonly kind: string;
  /** `old_array`: the programs of that kind before the last link. Unlinking does not set it. */
  readonly old: readonly TrampNode[];
}

/** One trampoline for functions that had none when it was made: those are its `ids` (`id_multi`). */
export interface IdsTrampoline extends MultiTrampoline {
  /** `id`: all functions that its links have. */
  readonly all: Ids;
  /** `id_singles`: those among them that had a trampoline, which gets each program as well. */
  readonly singles: Ids;
  refcnt: number;
  /** `progs_cnt`, of all kinds together. */
  progsCnt: number;
  update: SetUpdate;
  /** `update.im`, while one is under way: empty if no program is left. */
  next: string;
}

/** State of the design. */
export interface MultiIds {
  byName: Record<string, IdsTrampoline>;
  /** The trampoline of each link, on which it has a reference. */
  links: Record<string, string>;
  /** `update` of the trampolines of one function. */
  updates: Record<string, SetUpdate>;
}

export function multiIdsOf(k: BpfWorld): MultiIds;
export function multiIdsOf(k: BpfView): DeepReadonly<MultiIds>;
export function multiIdsOf(k: BpfView): DeepReadonly<MultiIds> {
  return designData<MultiIds>(k);
}

export function idsTrampoline(k: BpfView, name: string): IdsTrampoline {
  return multiOf(k, name) as IdsTrampoline;
}

/** key_in_multi_trampoline(): bpf_trampoline_get() then fails, which its callers report as ENOMEM. */
export function isMultiId(k: BpfView, target: FunctionName): boolean {
  return Object.values(multiIdsOf(k).byName).some(({ ids }) => ids.includes(target));
}

/**
 * id_match() and id_cross(), one trampoline after the other: the one with exactly these functions, or whether one
 * overlaps.
 */
export function lookForIds(k: BpfView, { link }: LinkArgs): { name?: string; crosses: boolean } {
  const wanted = new Set(entry(k.bpf.links, link).targets);
  for (const [name, { all }] of Object.entries(multiIdsOf(k).byName)) {
    const { common } = cut(all, wanted);
    if (common.length === wanted.size && all.length === wanted.size) return { name, crosses: false };
    if (common.length > 0) return { crosses: true };
  }
  return { crosses: false };
}

/** multi_trampoline_alloc(): the functions without a trampoline become its own. */
export function allocIds(k: BpfWorld, { link }: LinkArgs): string {
  const all = entry(k.bpf.links, link).targets;
  const { common: singles, other: ids } = cut(all, new Set(Object.keys(k.bpf.trampolines)));
  const name = multiNamed(all);
  multiIdsOf(k).byName[name] = {
    ids,
    all,
    singles,
    nodes: [],
    image: '',
    serial: ++k.bpf.serial,
    fops: `${name}.fops`,
    refcnt: 0,
    progsCnt: 0,
    update: { kind: '', old: [] },
    next: '',
  };
  return name;
}

/** __bpf_trampoline_put(): freed with the last reference and the last program. */
export function putIds(k: BpfWorld, name: string): void {
  const tr = idsTrampoline(k, name);
  tr.refcnt--;
  if (tr.refcnt === 0 && tr.nodes.length === 0) freeMulti(k, name);
}

/** The arrays of programs are per kind, so a rollback restores one kind only. */
function byKind(k: BpfView, nodes: readonly TrampNode[], kind: string) {
  const isOf = ({ prog }: TrampNode) => k.bpf.progs[prog]?.program.kind === kind;
  return { of: nodes.filter(isOf), others: nodes.filter((node) => !isOf(node)) };
}

/** The note of a link: the programs of its kind that were there before. */
export function noteUpdate(k: BpfView, nodes: readonly TrampNode[], { link, prog }: TrampNode): SetUpdate {
  const { kind } = entry(k.bpf.progs, prog).program;
  return { kind, old: byKind(k, nodes, kind).of.filter((node) => node.link !== link) };
}

/**
 * bpf_trampoline_rollback(): the programs of that kind become those that were noted. A program that was detached
 * since the note is restored; one that was attached since is lost.
 */
export function restored(k: BpfView, nodes: readonly TrampNode[], { kind, old }: SetUpdate): TrampNode[] {
  const { of, others } = byKind(k, nodes, kind);
  const back = old.filter(({ link }) => !of.some((node) => node.link === link));
  const stays = (node: TrampNode) => others.includes(node) || old.some(({ link }) => link === node.link);
  return [...back, ...nodes.filter(stays)];
}

/** The last program is detached, and `tr->cur_image` is read without a NULL check. */
export function imageToLeave({ image }: IdsTrampoline): void {
  if (image === '') throw new Oops({ is: 'trampoline without image' });
}

/** The trampolines of one function that a link holds, because they get its program. */
export function heldSingles(k: BpfView, link: LinkId): Ids {
  const { byName, links } = multiIdsOf(k);
  return byName[links[link] ?? '']?.singles ?? [];
}

/** `progs_cnt` has to be the number of attached programs, and the image has to be for these. */
export function idsDisagreement(k: BpfView): Disagreement | undefined {
  for (const [name, { nodes, image, progsCnt }] of Object.entries(multiIdsOf(k).byName)) {
    if (progsCnt !== nodes.length)
      return {
        is: 'program-count-differs',
        of: name,
        counter: 'progs_cnt',
        expected: nodes.length,
        observed: progsCnt,
      };
    const expected = nodes.map(({ prog }) => prog);
    const observed = [...(k.bpf.images[image]?.programs ?? [])];
    if (expected.join() !== observed.join())
      return { is: 'multi-image-is-for-others', of: name, expected, observed };
  }
  return undefined;
}

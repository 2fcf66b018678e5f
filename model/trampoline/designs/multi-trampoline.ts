import type { ImageId } from '../../core/ids.ts';
import { useAfterFree } from '../../core/oops.ts';
import { item } from '../../core/present.ts';
import type { DeepReadonly } from '../../core/readonly.ts';
import { freeOps } from '../../ftrace/filter-hash.ts';
import { isCoreOps } from '../../ftrace/ops.ts';
import type { BpfView, BpfWorld, TrampNode } from '../world.ts';
import { designData } from './design.ts';
import type { Ids, PartitionPart } from './partition.ts';

/*
 * A trampoline of several functions: its state, and how one is found, made and freed.
 *
 * ```text
 *   byName   tr(f1, …)   ids {f1, f2}   nodes P, Q   image tramp#4   fops tr(f1, …).fops
 *            tr(f3, …)   ids {f3, f4}   nodes P      image tramp#2   fops tr(f3, …).fops
 * ```
 *
 * A name contains the first function only: the set of a trampoline changes with each split, and is disjoint from
 * all others.
 */

/** `struct bpf_trampoline` with several functions of one signature, its programs and its one image. */
export interface MultiTrampoline extends PartitionPart {
  ids: Ids;
  /** In the order of their attachment. */
  nodes: TrampNode[];
  /** Empty: no site calls one. Two parts of a split share it until one of them changes. */
  image: ImageId;
  /** That of the trampoline it was split from, if any: a task may be in one of its images. */
  readonly serial: number;
  /** The ops of its direct calls: its own, or `direct_ops`, which serves all (7.2). */
  readonly fops: string;
}

/** State of designs with such trampolines, by name. */
export interface MultiTrampolines {
  byName: Record<string, MultiTrampoline>;
}

/** The single ops of 7.2 for the direct calls of all trampolines. */
export const DIRECT_OPS = 'direct_ops';

/** Held for every operation on any of them. */
export const MULTI_MUTEX = 'multi_mutex';

/** The arguments of an operation on one of them. */
export interface TrArgs {
  tr: string;
}

/** A trampoline by name; accessing one that was freed is a crash. */
export function multiOf(k: BpfWorld, name: string): MultiTrampoline;
export function multiOf(k: BpfView, name: string): DeepReadonly<MultiTrampoline>;
export function multiOf(k: BpfView, name: string): DeepReadonly<MultiTrampoline> {
  const tr = designData<MultiTrampolines>(k).byName[name];
  if (tr === undefined) throw useAfterFree({ is: 'shared trampoline', name });
  return tr;
}

/** All of them by name. */
export function multisOf(k: BpfWorld): [name: string, tr: MultiTrampoline][];
export function multisOf(k: BpfView): DeepReadonly<[name: string, tr: MultiTrampoline][]>;
export function multisOf(k: BpfView): DeepReadonly<[name: string, tr: MultiTrampoline][]> {
  return Object.entries(designData<MultiTrampolines>(k).byName);
}

/**
 * The name of one with these functions: its first function, which no other has, so that the name is the same on
 * every path.
 */
export function multiNamed(ids: Ids): string {
  let first = item(ids, 0);
  for (const id of ids) if (id < first) first = id;
  return `tr(${first}, …)`;
}

/** Frees those without programs. */
export function freeEmpty(k: BpfWorld): void {
  for (const [name, { nodes }] of multisOf(k)) if (nodes.length === 0) freeMulti(k, name);
}

/** Whether any of them still uses an image. */
export function isUsedImage(k: BpfView, image: ImageId): boolean {
  return multisOf(k).some(([, tr]) => tr.image === image);
}

/** A new one, by default without programs and image. */
export function makeMulti(k: BpfWorld, ids: Ids, more: Partial<Omit<MultiTrampoline, 'ids'>> = {}): void {
  const fops = `${multiNamed(ids)}.fops`;
  const serial = more.serial ?? ++k.bpf.serial;
  const tr = { ids, nodes: [], image: '', fops, ...more, serial };
  designData<MultiTrampolines>(k).byName[multiNamed(ids)] = tr;
}

/** Frees it with its ops. */
export function freeMulti(k: BpfWorld, name: string): void {
  const { fops } = multiOf(k, name);
  if (!isCoreOps(fops)) freeOps(k, fops);
  delete designData<MultiTrampolines>(k).byName[name];
}

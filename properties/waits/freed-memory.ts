import type { Flavour } from '../../model/core/part.ts';
import { entry } from '../../model/core/present.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { KernelView } from '../../model/kernel.ts';
import { branchAtSite } from '../../model/text/text.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import type { GraphLinks } from '../../model/trampoline/designs/function-graph-data.ts';
import type { GlobalData } from '../../model/trampoline/designs/global/kfunc-md.ts';

/*
 * Memory that calls read, how a call that begins finds it, and the grace periods that cover the tasks which have found it
 * before. The tasks that can still be in it decide, not the routine that frees it.
 */

/** Memory of one kind. */
export interface FreedKind {
  readonly is:
    | 'image'
    | 'hash'
    | 'direct_functions'
    | 'metadata'
    | 'node'
    | 'table of metadata'
    | 'array of probes'
    | 'array of programs';
  /** What there is of it, by name. */
  readonly names: (k: KernelView) => readonly string[];
  /** A call that begins now may come to it. */
  readonly isFound: (k: KernelView, name: string) => boolean;
  /** Of what is found in several ways: the one that counts also when it ends within an action, which is then refused. */
  readonly isCalled?: (k: KernelView, name: string) => boolean;
  /** It is not to be freed by what made new calls miss it, but by its client, who has waited then. */
  readonly isIdle?: (k: KernelView, name: string) => boolean;
  /** What has to pass after that, in this order. */
  readonly needs: (k: KernelView, name: string) => readonly Flavour[];
}

/**
 * A task that is preempted in the image is seen by RCU-tasks alone; one that sleeps in a program by RCU-tasks-trace, and
 * by the reference that an image which calls the original holds, as is one that sleeps in the original. When it
 * returns from there it is in the last instructions: RCU-tasks again. Images that share a page are written over, not
 * freed.
 */
const IMAGE: FreedKind = {
  is: 'image',
  names: ({ bpf, text }) => Object.keys(bpf.images).filter((name) => text.halves[name] === undefined),
  isFound: (k, name) =>
    Object.values(k.ftrace.directFunctions).some((address) => address === name) || isAtSite(k, name),
  isCalled: isAtSite,
  needs: ({ bpf }, name) => {
    const { callOrig, programs } = entry(bpf.images, name);
    if (callOrig) return ['rcu_tasks', 'percpu_ref', 'rcu_tasks'];
    const sleeps = programs.some((prog) => bpf.progs[prog]?.program.sleepable === true);
    return sleeps ? ['rcu_tasks_trace', 'rcu_tasks'] : ['rcu_tasks'];
  },
};

function isAtSite(k: KernelView, image: string): boolean {
  return Object.keys(k.text.sites).some((site) => isBranchTo(k, site, image));
}

function isBranchTo(k: KernelView, site: string, image: string): boolean {
  if (k.text.pages[image] === undefined) return false;
  const bytes = k.text.sites[site];
  return bytes === branchAtSite(k, site, 'e8', image) || bytes === branchAtSite(k, site, 'e9', image);
}

/**
 * ftrace_ops_test() reads a hash of an ops on the list with preemption off; ftrace_find_rec_direct() is called where a task
 * may lose its CPU. A table that is current only within an action, which is then refused, does not count. A hash of
 * an ops that has left the list was waited for with it.
 */
const TABLES: readonly FreedKind[] = [
  {
    is: 'hash',
    names: (k) => [...hashesOf(k, Object.keys(k.ftrace.ops)), ...retired(k, true)],
    isFound: (k, number) => hashesOf(k, k.ftrace.opsList).includes(number),
    isCalled: () => false,
    isIdle: ({ ftrace }, number) => ftrace.tables.retired[Number(number)] === undefined,
    needs: () => ['rcu'],
  },
  {
    is: 'direct_functions',
    names: (k) => [...currentTable(k), ...retired(k, false)],
    isFound: ({ ftrace }, number) => ftrace.tables.directFunctions === Number(number),
    isCalled: () => false,
    needs: () => ['rcu_tasks'],
  },
];

/** `direct_functions`, unless it is the empty hash, which is never freed. */
function currentTable({ ftrace: { tables } }: KernelView): string[] {
  return tables.directFunctions > 0 ? [String(tables.directFunctions)] : [];
}

/** The numbers of the hashes that these ops point to. */
function hashesOf({ ftrace: { ops, tables } }: KernelView, names: readonly string[]): string[] {
  return names.flatMap((name) =>
    ['filter', 'notrace'].flatMap((which) => {
      const number = tables.hashes[`${ops[name]?.hashOf}.${which}`] ?? 0;
      return number > 0 ? [String(number)] : [];
    }),
  );
}

/** Tables that were replaced, and are not freed yet: lists of sites, or their direct calls. */
function retired({ ftrace: { tables } }: KernelView, isHash: boolean): string[] {
  const numbers = Object.keys(tables.retired);
  return numbers.filter((number) => Array.isArray(tables.retired[Number(number)]) === isHash);
}

/** A hit reads the array of probes in a section of RCU, or of RCU-tasks-trace if its probes may sleep; a program's likewise. */
const ARRAYS: readonly FreedKind[] = [
  {
    is: 'array of probes',
    names: ({ tracepoints }) => Object.keys(tracepoints?.arrays ?? {}),
    isFound: ({ tracepoints }, name) =>
      Object.values(tracepoints?.points ?? {}).some(({ funcs }) => funcs === name),
    needs: ({ tracepoints }, name) => {
      const own = Object.values(tracepoints?.points ?? {}).find(({ funcs }) => funcs === name);
      return own?.faultable === true ? ['rcu_tasks_trace'] : ['rcu'];
    },
  },
  {
    is: 'array of programs',
    names: ({ perf }) => Object.keys(perf?.arrays ?? {}),
    isFound: ({ perf }, name) => Object.values(perf?.calls ?? {}).some(({ progArray }) => progArray === name),
    needs: () => ['rcu_tasks_trace'],
  },
];

/**
 * A global trampoline has the metadata of the function until it ends: in the original under a reference, in a sleepable
 * program under RCU-tasks-trace, in the last instructions under nothing. A node of a list is held in a program. The
 * table is looked up under RCU.
 */
const METADATA: readonly FreedKind[] = [
  {
    is: 'metadata',
    names: (k) => Object.keys(metadataOf(k)?.mds ?? {}),
    isFound: (k, number) => hashedIn(metadataOf(k)).includes(Number(number)),
    needs: () => ['percpu_ref', 'rcu_tasks_trace', 'rcu_tasks'],
  },
  {
    is: 'node',
    names: (k) => Object.keys(metadataOf(k)?.nodes ?? {}),
    isFound: (k, number) => listedIn(metadataOf(k)).includes(Number(number)),
    needs: () => ['rcu_tasks_trace', 'rcu_tasks'],
  },
  {
    is: 'table of metadata',
    names: (k) => Object.keys(metadataOf(k)?.arrays ?? {}),
    isFound: (k, number) => metadataOf(k)?.current === Number(number),
    needs: () => ['rcu'],
  },
];

type Metadata = KernelView['bpf']['design'] &
  Pick<GlobalData, 'mds' | 'nodes' | 'arrays' | 'current' | 'paddings'>;

function metadataOf({ bpf: { design } }: KernelView): Metadata | undefined {
  return design !== null && 'mds' in design && 'nodes' in design
    ? (design as unknown as Metadata)
    : undefined;
}

/** The metadata in the table, from the first of each of its lists on; or at the functions themselves. */
function hashedIn(data: Metadata | undefined): number[] {
  if (data === undefined) return [];
  if (data.paddings !== null) return Object.values(data.paddings);
  const { heads } = entry(data.arrays, data.current);
  return Object.values(heads).flatMap((head) => chain(head, data.mds));
}

function listedIn(data: Metadata | undefined): number[] {
  if (data === undefined) return [];
  const lists = hashedIn(data).flatMap((number) => data.mds[number]?.progs ?? []);
  return lists.flatMap((first) => chain(first, data.nodes));
}

/** The numbers of a list, which ends with 0. */
function chain(first: number, among: Readonly<Record<number, { readonly next: number }>>): number[] {
  const found: number[] = [];
  for (let number = first; number !== 0 && !found.includes(number); number = among[number]?.next ?? 0)
    found.push(number);
  return found;
}

/** Code that the callbacks of function graph call; they are called with preemption on. */
const GRAPH_IMAGE: FreedKind = {
  is: 'image',
  names: (k) => Object.values(graphLinksOf(k)).flatMap(({ images }) => Object.keys(images)),
  isFound: (k, name) =>
    Object.entries(graphLinksOf(k)).some(
      ([gops, { images }]) => name in images && k.fgraph.array.includes(gops),
    ),
  needs: () => ['rcu_tasks'],
};

function graphLinksOf({ profile, bpf: { design } }: KernelView): GraphLinks['links'] {
  const isOnGraph = designOf(profileNamed(profile))?.onGraph === true;
  return isOnGraph ? (design as unknown as GraphLinks).links : {};
}

export const FREED_KINDS: readonly FreedKind[] = [IMAGE, ...TABLES, ...ARRAYS, ...METADATA, GRAPH_IMAGE];

/** Whether a grace period covers all that another one does: those of RCU-tasks wait for readers under RCU as well. */
export function covers(passed: Flavour, needed: Flavour): boolean {
  if (passed === needed) return true;
  return needed === 'rcu' && (passed === 'rcu_tasks' || passed === 'rcu_tasks_trace');
}

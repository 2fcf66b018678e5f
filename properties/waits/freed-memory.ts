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
  /** Adds what there is of it, by name, after every step: hence to a list that is there. */
  readonly names: (k: KernelView, names: string[]) => void;
  /** A call that begins now may come to it. */
  readonly isFound: (k: KernelView, name: string) => boolean;
  /**
   * Of what is found in several ways: the one that counts also when it ends within an action, which is then refused;
   * null: none does.
   */
  readonly isCalled?: ((k: KernelView, name: string) => boolean) | null;
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
  names: ({ bpf, text }, names) => {
    for (const name in bpf.images) if (text.halves[name] === undefined) names.push(name);
  },
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
  if (k.text.pages[image] === undefined) return false;
  for (const site in k.text.sites) if (isBranchTo(k, site, image)) return true;
  return false;
}

function isBranchTo(k: KernelView, site: string, image: string): boolean {
  const bytes = entry(k.text.sites, site);
  const opcode = bytes.slice(0, 2);
  return (opcode === 'e8' || opcode === 'e9') && bytes === branchAtSite(k, site, opcode, image);
}

/**
 * ftrace_ops_test() reads a hash of an ops on the list with preemption off; ftrace_find_rec_direct() is called where a task
 * may lose its CPU. A table that is current only within an action, which is then refused, does not count. A hash of
 * an ops that has left the list was waited for with it.
 */
const TABLES: readonly FreedKind[] = [
  {
    is: 'hash',
    names: (k, names) => {
      for (const ops in k.ftrace.ops) addHashesOf(k, ops, names);
      addRetired(k, true, names);
    },
    isFound: (k, number) => {
      const hashes: string[] = [];
      for (const ops of k.ftrace.opsList) addHashesOf(k, ops, hashes);
      return hashes.includes(number);
    },
    isCalled: null,
    isIdle: ({ ftrace }, number) => ftrace.tables.retired[Number(number)] === undefined,
    needs: () => ['rcu'],
  },
  {
    is: 'direct_functions',
    names: (k, names) => {
      addCurrentTable(k, names);
      addRetired(k, false, names);
    },
    isFound: ({ ftrace }, number) => ftrace.tables.directFunctions === Number(number),
    isCalled: null,
    needs: () => ['rcu_tasks'],
  },
];

/** `direct_functions`, unless it is the empty hash, which is never freed. */
function addCurrentTable({ ftrace: { tables } }: KernelView, names: string[]): void {
  if (tables.directFunctions > 0) names.push(String(tables.directFunctions));
}

/** The numbers of the hashes that an ops points to. */
function addHashesOf({ ftrace: { ops, tables } }: KernelView, name: string, names: string[]): void {
  const { filter, notrace } = hashNames(ops[name]?.hashOf ?? '');
  const [of, except] = [tables.hashes[filter] ?? 0, tables.hashes[notrace] ?? 0];
  if (of > 0) names.push(String(of));
  if (except > 0) names.push(String(except));
}

/** The names of the pointers of an ops, by the ops whose hashes they are. */
const HASH_NAMES = new Map<string, { readonly filter: string; readonly notrace: string }>();

function hashNames(hashOf: string) {
  const known = HASH_NAMES.get(hashOf);
  if (known !== undefined) return known;
  const names = { filter: `${hashOf}.filter`, notrace: `${hashOf}.notrace` };
  HASH_NAMES.set(hashOf, names);
  return names;
}

/** Tables that were replaced, and are not freed yet: lists of sites, or their direct calls. */
function addRetired({ ftrace: { tables } }: KernelView, isHash: boolean, names: string[]): void {
  for (const number in tables.retired)
    if (Array.isArray(tables.retired[number]) === isHash) names.push(number);
}

/** A hit reads the array of probes in a section of RCU, or of RCU-tasks-trace if its probes may sleep; a program's likewise. */
const ARRAYS: readonly FreedKind[] = [
  {
    is: 'array of probes',
    names: ({ tracepoints }, names) => addKeys(tracepoints?.arrays, names),
    isFound: ({ tracepoints }, name) =>
      Object.values(tracepoints?.points ?? {}).some(({ funcs }) => funcs === name),
    needs: ({ tracepoints }, name) => {
      const own = Object.values(tracepoints?.points ?? {}).find(({ funcs }) => funcs === name);
      return own?.faultable === true ? ['rcu_tasks_trace'] : ['rcu'];
    },
  },
  {
    is: 'array of programs',
    names: ({ perf }, names) => addKeys(perf?.arrays, names),
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
    names: (k, names) => addKeys(metadataOf(k)?.mds, names),
    isFound: (k, number) => hashedIn(metadataOf(k)).includes(Number(number)),
    needs: () => ['percpu_ref', 'rcu_tasks_trace', 'rcu_tasks'],
  },
  {
    is: 'node',
    names: (k, names) => addKeys(metadataOf(k)?.nodes, names),
    isFound: (k, number) => listedIn(metadataOf(k)).includes(Number(number)),
    needs: () => ['rcu_tasks_trace', 'rcu_tasks'],
  },
  {
    is: 'table of metadata',
    names: (k, names) => addKeys(metadataOf(k)?.arrays, names),
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
  names: (k, names) => {
    for (const { images } of Object.values(graphLinksOf(k))) addKeys(images, names);
  },
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

function addKeys(record: object | undefined, names: string[]): void {
  for (const name in record) names.push(name);
}

/** Whether a grace period covers all that another one does: those of RCU-tasks wait for readers under RCU as well. */
export function covers(passed: Flavour, needed: Flavour): boolean {
  if (passed === needed) return true;
  return needed === 'rcu' && (passed === 'rcu_tasks' || passed === 'rcu_tasks_trace');
}

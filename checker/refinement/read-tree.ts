import { item } from '../../model/core/present.ts';
import type { Read } from './read-watch.ts';
import { answerOf } from './read-watch.ts';

/**
 * A read common to all data that had the same values so far; data with the first value found continue in one branch,
 * all others in another.
 */
interface Node<T> {
  readonly read: Read;
  readonly first: Branch<T>;
  others: Map<unknown, Branch<T>> | undefined;
}

/** The result when nothing else is read. */
interface Leaf<T> {
  readonly result: T;
}

type Branch<T> = Node<T> | Leaf<T>;

/**
 * The results for data that were read in some order, by their values: all data with the same values have the same
 * result. Data that begin with other reads have their own tree.
 */
export class ReadTrees<T> {
  /** Reads that were added. */
  added = 0;
  private readonly trees: Branch<T>[] = [];

  find(data: object): T | undefined {
    for (const tree of this.trees) {
      const result = resultIn(tree, data);
      if (result !== undefined) return result;
    }
    return undefined;
  }

  add(reads: readonly Read[], result: T): void {
    this.added += reads.length;
    if (!this.trees.some((tree) => isAdded(tree, reads, result))) this.trees.push(branch(reads, 0, result));
  }
}

/** Walks down a tree, read by read; undefined where the data has a new value. */
function resultIn<T>(tree: Branch<T>, data: object): T | undefined {
  const values: unknown[] = [data];
  let branch = tree;
  while ('read' in branch) {
    const { ask, of, key } = branch.read;
    const object = values[of] as Record<string, unknown>;
    const next = nextOf(branch, answerOf(object, ask, key));
    if (next === undefined) return undefined;
    values.push(object[key]);
    branch = next;
  }
  return branch.result;
}

function nextOf<T>({ read, first, others }: Node<T>, found: unknown): Branch<T> | undefined {
  return found === read.found ? first : others?.get(found);
}

/** Adds to a tree whose first read is the same; otherwise nothing is done. */
function isAdded<T>(tree: Branch<T>, reads: readonly Read[], result: T): boolean {
  let node = tree;
  for (let i = 0; 'read' in node; i++) {
    const read = reads[i];
    if (read === undefined || !isSame(node.read, read)) return false;
    const next = nextOf(node, read.found);
    if (next === undefined) {
      node.others ??= new Map();
      node.others.set(read.found, branch(reads, i + 1, result));
      return true;
    }
    node = next;
  }
  return false;
}

function branch<T>(reads: readonly Read[], from: number, result: T): Branch<T> {
  let made: Branch<T> = { result };
  for (let i = reads.length - 1; i >= from; i--)
    made = { read: item(reads, i), first: made, others: undefined };
  return made;
}

function isSame(read: Read, other: Read): boolean {
  return read.ask === other.ask && read.of === other.of && read.key === other.key;
}

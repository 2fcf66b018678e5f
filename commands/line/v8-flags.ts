/**
 * Node 20 optimizes a function nine times later with the first, when the types that it meets are known: earlier, a quarter of
 * a run's time went into optimizing code that the next kernel made wrong. With the second each thread collects its own young
 * generation alone: others that help it have no core where every one is searching, and it waited for them.
 */
const OF_NODE_20 = ['--interrupt-budget=600000', '--no-parallel-scavenge'];

/** Flags of V8 for a version of Node: later ones do not know the first, and say so for every one that they do not know. */
export function v8Flags(version: string): readonly string[] {
  return version.startsWith('20.') ? OF_NODE_20 : [];
}

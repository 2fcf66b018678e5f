/**
 * Flags of V8 for a version of Node. Node 20 optimizes a function nine times later with this one, when the types that it meets
 * are known: earlier, a quarter of a run's time went into optimizing code that the next kernel made wrong. Later versions have
 * no such flag, and say so for every one that they do not know.
 */
export function v8Flags(version: string): readonly string[] {
  return version.startsWith('20.') ? ['--interrupt-budget=600000'] : [];
}

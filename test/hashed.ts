import { createHash } from 'node:crypto';

/** The replacement of a sentence about these facts. */
function hashed(facts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 12);
}

/** A module whose functions tell hashes; what is a table of functions tells the two sides of a finding. */
export function withoutWords(module: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(module).map(([name, item]) => [
      name,
      typeof item === 'function' ? (...facts: unknown[]) => hashed(facts) : withoutTableOfWords(item),
    ]),
  );
}

function withoutTableOfWords(table: unknown): unknown {
  if (typeof table !== 'object' || table === null) return table;
  const tell = (...facts: unknown[]) => ({ expected: hashed(facts), observed: hashed([facts]) });
  return Object.fromEntries(Object.keys(table).map((tag) => [tag, tell]));
}

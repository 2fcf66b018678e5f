import { THIRD } from '../../checker/interleavings/triples.ts';
import { InputError } from '../../model/core/input-error.ts';
import { nearest } from '../../model/core/nearest.ts';
import type { NamedScenario } from './exploration.ts';

/** The scenarios that have each of some operations, as often as wanted; an InputError lists the possible ones. */
export function withOnly(all: readonly NamedScenario[], only: readonly string[]): readonly NamedScenario[] {
  const chosen = all.filter(({ name }) => hasAll(operationsIn(name), only));
  if (chosen.length > 0) return chosen;
  const there = [...new Set(all.flatMap(({ name }) => operationsIn(name)))];
  const unknown = only.find((wanted) => !there.some((operation) => isOf(operation, wanted)));
  throw unknown === undefined ? notTogether(all, only) : notThere(there, unknown);
}

function operationsIn(name: string): readonly string[] {
  return name.split(', ');
}

/** An operation is selected by its name; by that of its beginning, too, if its client continues. */
function isOf(operation: string, wanted: string): boolean {
  return operation === wanted || operation.split(THIRD)[0] === wanted;
}

function hasAll(operations: readonly string[], only: readonly string[]): boolean {
  const left = [...operations];
  return only.every((wanted) => {
    const index = left.findIndex((operation) => isOf(operation, wanted));
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  });
}

function notThere(there: readonly string[], unknown: string): InputError {
  const firsts = [...new Set(there.map((operation) => operation.split(THIRD)[0] ?? operation))];
  const meant =
    firsts.find((operation) => operation.startsWith(unknown)) ?? nearest(unknown, [...firsts, ...there]);
  const hint = meant === undefined ? '; there' : `; did you mean ${meant}? There`;
  return new InputError(
    `--only: there is no operation "${unknown}"${hint} are ${listed(firsts)}; for other calls write a scenario file (docs/traces.md)`,
  );
}

/** `attach, detach, each on f1 or f2; attach multi on f1+f2 or f2`. */
function listed(operations: readonly string[]): string {
  const places = new Map<string, string[]>();
  for (const operation of operations) {
    const words = operation.split(' ');
    const place = words.pop() ?? '';
    const name = words.join(' ');
    places.set(name, [...(places.get(name) ?? []), place]);
  }
  const names = new Map<string, string[]>();
  for (const [name, own] of places)
    names.set(own.join(' or '), [...(names.get(own.join(' or ')) ?? []), name]);
  return [...names]
    .map(([on, own]) => `${own.join(', ')}${own.length > 1 ? ', each' : ''} on ${on}`)
    .join('; ');
}

function notTogether(all: readonly NamedScenario[], only: readonly string[]): InputError {
  const [first = ''] = only;
  const beside = all.flatMap(({ name }) => {
    const operations = [...operationsIn(name)];
    const index = operations.findIndex((operation) => isOf(operation, first));
    return index < 0 ? [] : operations.filter((_, i) => i !== index);
  });
  const firsts = [...new Set(beside.map((operation) => operation.split(THIRD)[0] ?? operation))];
  return new InputError(
    `--only: no scenario has ${only.join(' and ')} together; with ${first} there are ${listed(firsts)}`,
  );
}

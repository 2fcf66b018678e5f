import type { AttachCase } from '../attach-case.ts';
import { absentCall } from '../judge-sequence.ts';
import { alphabetOf } from './alphabet.ts';
import { scopeOf } from './scope.ts';
import type { ExhaustiveSearch } from './search.ts';

/**
 * The world that some calls live in: these and the others of their mechanisms that the kernel has, on their functions,
 * with two objects of each kind; with failures where these calls have one.
 */
export function smallWorldOf(c: AttachCase): Pick<ExhaustiveSearch, 'start' | 'alphabet' | 'fails'> {
  const { profile, functions, tracepoints = [] } = c;
  const scope = scopeOf(c);
  const alphabet = alphabetOf(scope).filter(
    (action) => absentCall({ ...c, actions: [action] }) === undefined,
  );
  return { start: { profile, functions, tracepoints }, alphabet, fails: scope.calls.includes('fail') };
}

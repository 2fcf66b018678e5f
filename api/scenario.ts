import { keyOf } from '../checker/interleavings/findings.ts';
import type { IsSought } from '../checker/interleavings/nearest-breach.ts';
import { explore as exploreSpace } from '../checker/interleavings/search.ts';
import { shortestWay } from '../checker/interleavings/shortest-way.ts';
import { Space } from '../checker/interleavings/space.ts';
import { lawsFor } from '../commands/explore/own-laws.ts';
import { absentCall, requirePremises } from '../commands/explore/premises.ts';
import { knownTaskName } from '../conformance/known/task-name.ts';
import { described, scheduleOf } from '../counterexamples/interleavings/task-find.ts';
import { printFoundFirst } from '../counterexamples/interleavings/task-report.ts';
import { parseScenario } from '../counterexamples/interleavings/task-trace.ts';
import { parseAction } from '../model/action-text.ts';
import { InputError } from '../model/core/input-error.ts';
import { rendered } from '../properties/finding/render.ts';
import type { TaskLaw } from '../properties/law/interleaving-law.ts';
import type { Scenario } from '../properties/observed/scenario.ts';
import { declaredFunctions } from './declared-functions.ts';
import type { ToldBreach } from './sequence.ts';

/** The interleaved calls, in the language of `docs/traces.md`. */
export interface ScenarioParts {
  /** `6.12`, `6.12, multiLinks = batch`. */
  readonly profile: string;
  /** `f1 = function(u64 -> u64)`. */
  readonly functions: readonly string[];
  /** Run one after the other, before any client starts. */
  readonly setup?: readonly string[];
  /** For each client, its actions in order. */
  readonly clients: readonly (readonly string[])[];
  /** For each other task, the call that it makes: `f1(0x1)`. */
  readonly calls?: readonly string[];
  /** Default: 2. */
  readonly cpus?: number;
}

/** A breach of a law in an interleaving, and a shortest schedule that shows it. */
export interface BrokenByOrder extends Omit<ToldBreach, 'step'> {
  /** The schedule with its report, as `attachcheck explore` prints it. */
  readonly report: string;
}

/** The outcome of a search of all interleavings. */
export interface Interleaved {
  readonly states: number;
  readonly transitions: number;
  /** Every state was visited. */
  readonly complete: boolean;
  /** The first of each kind; a new one ends the search. */
  readonly broken: readonly BrokenByOrder[];
  /** Names of the laws that were exercised and held. */
  readonly held: readonly string[];
}

/**
 * Reads a scenario: the text of a file, as `attachcheck explore FILE` takes it, or its parts. Throws an
 * InputError for an unreadable line, and for a call that no client makes; the library does not support
 * `grain`.
 */
export function scenario(written: string | ScenarioParts): Scenario {
  const read = typeof written === 'string' ? textOf(written) : partsOf(written);
  requirePremises(read);
  return read;
}

function textOf(text: string): Scenario {
  const { scenario: read, grain } = parseScenario(text);
  if (grain !== undefined) throw new InputError(`grain ${grain}: only attachcheck explore supports it`);
  return read;
}

function partsOf(written: ScenarioParts): Scenario {
  const { profile, setup = [], clients, calls = [], cpus = 2 } = written;
  const functions = declaredFunctions(written.functions);
  const spelling = { profile, functions };
  const read = (line: string) => parseAction(line, spelling);
  return {
    profile,
    functions,
    setup: setup.map(read),
    clients: clients.map((lines) => lines.map(read)),
    callers: calls.map((made) => {
      const action = read(`task#1 calls ${made}`);
      if (action.do !== 'call') throw new InputError(`"${made}" is not a call of a function`);
      const { do: _, ...call } = action;
      return { call };
    }),
    cpus,
  };
}

/**
 * Explores every interleaving of a scenario, breadth first, up to a number of states (default: a million, a
 * few hundred MB). Checks the laws that `attachcheck explore FILE` checks, or those that are given. Throws an
 * InputError for a call that the kernel does not have, and an Error with the refusal when the setup is
 * refused.
 */
export function explore(of: Scenario, { laws = lawsFor(of), states = 1e6 }: SearchBounds = {}): Interleaved {
  const absent = absentCall(of);
  if (absent !== undefined) throw new InputError(absent);
  const space = new Space(of);
  const explored = exploreSpace(space, {
    laws,
    states,
    nameOf: knownTaskName,
  });
  const broken = explored.breaches.map((found) => {
    const { law, finding, known } = found;
    const isFirst = explored.breaches.find((breach) => breach.law === law) === found;
    const isSought: IsSought = (breach) =>
      isFirst || keyOf({ ...breach, known: knownTaskName(breach) }) === keyOf(found);
    const way = shortestWay(space, { breach: found, path: found.path, cycle: [] }, isSought);
    const origin = { planted: undefined, known, found: printFoundFirst({ ...way, isFirst }) };
    const { report } = described(scheduleOf(way.space, way.path, undefined), law, origin).trace;
    return { law: law.name, ...rendered(finding), known, report };
  });
  const names = broken.map(({ law }) => law);
  return {
    states: explored.states,
    transitions: explored.transitions,
    complete: explored.complete,
    broken,
    held: [...explored.witnesses.keys()].filter((name) => !names.includes(name)),
  };
}

export interface SearchBounds {
  readonly laws?: readonly TaskLaw[];
  readonly states?: number;
}

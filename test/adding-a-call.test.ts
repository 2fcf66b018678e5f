import { beforeAll, describe, expect, test } from 'vitest';
import { applied, compilerMessages, examplesOf, placed } from './example.ts';
import { printedWith } from './replaced.ts';
import { scratch } from './scratch.ts';
import { sources } from './sources.ts';
import { THOROUGH } from './thorough.ts';

const { text: DOCUMENT, examples: EXAMPLES } = examplesOf('adding-a-call.md');
const [CALL = '', SEARCHED = ''] = EXAMPLES;
const [CALLS_DIFF = '', SEARCHED_DIFF = '', ERRNOS_DIFF = ''] = [
  ...DOCUMENT.matchAll(/^```diff\n(.*?)^```$/gms),
].map(([, diff]) => diff);
const [, SEQUENCE = ''] = /^```text\n(.*?)^```$/ms.exec(DOCUMENT) ?? [];

const NAME = 'ftrace-set-filter-ips.ts';
const [MODEL, CHECKER, ERRNOS] = ['model/client', 'checker/sequences/calls', 'properties/errno'] as const;
const textOf = (path: string) => sources('all.ts').find((source) => source.path === path)!.text;
const CALLS = applied(textOf(`${MODEL}/all.ts`), CALLS_DIFF);
const SEARCHES = applied(textOf(`${CHECKER}/all.ts`), SEARCHED_DIFF);
const REASONS = applied(textOf(`${ERRNOS}/all.ts`), ERRNOS_DIFF);

const { file } = scratch();

/** The results of the sequence of the document, and of searches, in a tree that has the call. */
interface Played {
  readonly actions: readonly Record<string, unknown>[];
  readonly printed: readonly string[];
  readonly answers: readonly unknown[];
  readonly seen: readonly string[];
  readonly broken?: string;
  readonly drawn: number;
  readonly found?: string;
}

const LINES = SEQUENCE.trimEnd().split('\n');
const ASKED = `
  import fc from 'fast-check';
  import { actionsFor } from './checker/sequences/draw.ts';
  import { runSequence } from './checker/sequences/run-sequence.ts';
  import { searchToEnd } from './checker/sequences/search.ts';
  import { KNOWN_ATTACH } from './conformance/known/attach-all.ts';
  import { parseAction, printAction } from './model/action-text.ts';
  import { tracedFunction } from './model/trampoline/traced-function.ts';
  import { ATTACH_LAWS as laws } from './properties/attach-laws.ts';
  const profile = '6.12';
  const functions = [tracedFunction('f1', 1, 'u64 -> u64'), tracedFunction('f2', 2, 'u64 x2 -> u64')];
  const spelling = { profile, functions };
  const actions = ${JSON.stringify(LINES)}.map((line) => parseAction(line, spelling));
  const { outcomes, breach } = runSequence({ ...spelling, actions }, { laws });
  const drawn = fc.sample(actionsFor(profile, { functions }), { seed: 1, numRuns: 2000 });
  const { found } = searchToEnd({ profile, seed: 1, sequences: ${THOROUGH ? 60 : 20}, laws, known: KNOWN_ATTACH });
  console.log(JSON.stringify({
    actions,
    printed: actions.map((action) => printAction(action, spelling)),
    answers: outcomes.map(({ errno }) => errno),
    seen: outcomes.at(-1)?.call?.events.map(({ who }) => who),
    broken: breach?.law.name,
    drawn: drawn.filter((action) => action.do === 'ftrace_set_filter_ips').length,
    found: found?.breach.law.name,
  }));`;
let played: Played;

/** The files stand outside of the project, and the two tables are those with a line more. */
beforeAll(async () => {
  const call = file('call.mts', placed(CALL, MODEL));
  const searched = file('searched.mts', placed(SEARCHED, CHECKER));
  const tables = {
    [`${MODEL}/all.ts`]: file('calls.mts', placed(CALLS.replace(`./${NAME}`, call), MODEL)),
    [`${CHECKER}/all.ts`]: file('searches.mts', placed(SEARCHES.replace(`./${NAME}`, searched), CHECKER)),
  };
  played = (await printedWith(tables, ASKED)) as Played;
});

describe('the example of a call', () => {
  const files = {
    [`${MODEL}/${NAME}`]: CALL,
    [`${CHECKER}/${NAME}`]: SEARCHED,
    [`${MODEL}/all.ts`]: CALLS,
    [`${CHECKER}/all.ts`]: SEARCHES,
    [`${ERRNOS}/all.ts`]: REASONS,
  };

  test('compiles', () => {
    expect(EXAMPLES).toHaveLength(2);
    expect(compilerMessages(files)).toEqual([]);
  });

  test('does not compile without its line among those of the searches', () => {
    const forgotten = { ...files, [`${CHECKER}/all.ts`]: textOf(`${CHECKER}/all.ts`) };
    expect(compilerMessages(forgotten)[0]).toContain("'ftrace_set_filter_ips' is missing");
  });

  test('is read from a trace and written as it was', () => {
    expect(played.actions[1]).toMatchObject({ do: 'ftrace_set_filter_ips', ips: ['f1', 'f2'] });
    expect(played.printed).toEqual(LINES);
  });

  test('does what it promises: the ops sees a call of the second function, and all laws hold', () => {
    expect(played.answers).toEqual([0, 0, 0, 0]);
    expect(played.seen).toEqual(['ops#1', 'f2']);
    expect(played.broken).toBeUndefined();
  });

  test('is drawn among the others, and random sequences with it break no law in a new way', () => {
    expect(played.drawn).toBeGreaterThan(5);
    expect(played.found).toBeUndefined();
  });
});

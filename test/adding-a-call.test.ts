import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { applied, compilerMessages, examplesOf, placed } from './example.ts';
import { scratch } from './scratch.ts';
import { sources } from './sources.ts';

const { text: DOCUMENT, examples: EXAMPLES } = examplesOf('adding-a-call.md');
const [CALL = '', SEARCHED = ''] = EXAMPLES;
const [CALLS_DIFF = '', SEARCHED_DIFF = ''] = [...DOCUMENT.matchAll(/^```diff\n(.*?)^```$/gms)].map(
  ([, diff]) => diff,
);
const [, SEQUENCE = ''] = /^```text\n(.*?)^```$/ms.exec(DOCUMENT) ?? [];

const NAME = 'ftrace-set-filter-ips.ts';
const [MODEL, CHECKER] = ['model/client', 'checker/sequences/calls'] as const;
const textOf = (path: string) => sources('all.ts').find((source) => source.path === path)!.text;
const CALLS = applied(textOf(`${MODEL}/all.ts`), CALLS_DIFF);
const SEARCHES = applied(textOf(`${CHECKER}/all.ts`), SEARCHED_DIFF);

const { file } = scratch();

/** The files stand outside of the project, and the two tables are those with a line more. */
beforeAll(() => {
  const call = file('call.ts', placed(CALL, MODEL));
  const searched = file('searched.ts', placed(SEARCHED, CHECKER));
  const calls = file('calls.ts', placed(CALLS.replace(`./${NAME}`, call), MODEL));
  const searches = file('searches.ts', placed(SEARCHES.replace(`./${NAME}`, searched), CHECKER));
  vi.resetModules();
  vi.doMock('../model/client/all.ts', () => import(/* @vite-ignore */ calls));
  vi.doMock('../checker/sequences/calls/all.ts', () => import(/* @vite-ignore */ searches));
});

afterAll(() => {
  vi.doUnmock('../model/client/all.ts');
  vi.doUnmock('../checker/sequences/calls/all.ts');
  vi.resetModules();
});

/** The sequence of the document, and what it is played with. */
async function played() {
  const { parseAction, printAction } = await import('../model/action-text.ts');
  const { tracedFunction } = await import('../model/trampoline/traced-function.ts');
  const { runSequence } = await import('../checker/sequences/run-sequence.ts');
  const { ATTACH_LAWS } = await import('../properties/attach-laws.ts');
  const functions = [tracedFunction('f1', 1, 'u64 -> u64'), tracedFunction('f2', 2, 'u64 x2 -> u64')];
  const spelling = { profile: '6.12', functions };
  const lines = SEQUENCE.trimEnd().split('\n');
  const actions = lines.map((line) => parseAction(line, spelling));
  const run = runSequence({ ...spelling, actions }, { laws: ATTACH_LAWS });
  return { lines, actions, printed: actions.map((action) => printAction(action, spelling)), run, spelling };
}

describe('the example of a call', () => {
  const files = {
    [`${MODEL}/${NAME}`]: CALL,
    [`${CHECKER}/${NAME}`]: SEARCHED,
    [`${MODEL}/all.ts`]: CALLS,
    [`${CHECKER}/all.ts`]: SEARCHES,
  };

  test('compiles', () => {
    expect(EXAMPLES).toHaveLength(2);
    expect(compilerMessages(files)).toEqual([]);
  });

  test('does not compile without its line among those of the searches', () => {
    const forgotten = { ...files, [`${CHECKER}/all.ts`]: textOf(`${CHECKER}/all.ts`) };
    expect(compilerMessages(forgotten)[0]).toContain("'ftrace_set_filter_ips' is missing");
  });

  test('is read from a trace and written as it was', async () => {
    const { lines, printed, actions } = await played();
    expect(actions[1]).toMatchObject({ do: 'ftrace_set_filter_ips', ips: ['f1', 'f2'] });
    expect(printed).toEqual(lines);
  });

  test('does what it promises: the ops sees a call of the second function, and all laws hold', async () => {
    const { run } = await played();
    expect(run.outcomes.map(({ errno }) => errno)).toEqual([0, 0, 0, 0]);
    expect(run.outcomes.at(-1)?.call?.events.map(({ who }) => who)).toEqual(['ops#1', 'f2']);
    expect(run.breach).toBeUndefined();
  });

  test('is drawn among the others, and random sequences with it break no law in a new way', async () => {
    const { spelling } = await played();
    const { actionsFor } = await import('../checker/sequences/draw.ts');
    const drawn = fc.sample(actionsFor(spelling.profile, spelling.functions), { seed: 1, numRuns: 2000 });
    const own = drawn.filter((action) => String(action.do) === 'ftrace_set_filter_ips');
    expect(own.length).toBeGreaterThan(5);
    const { searchToEnd } = await import('../checker/sequences/search.ts');
    const { ATTACH_LAWS } = await import('../properties/attach-laws.ts');
    const { KNOWN_ATTACH } = await import('../conformance/known/attach-all.ts');
    const search = { profile: '6.12', seed: 1, sequences: 60, laws: ATTACH_LAWS, known: KNOWN_ATTACH };
    expect(searchToEnd(search).found).toBeUndefined();
  });
});

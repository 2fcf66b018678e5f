import { afterAll, beforeAll, expect, test } from 'vitest';
import { item, present } from '../../model/core/present.ts';
import { linkKernel } from '../../model/step.ts';
import { sources } from '../sources.ts';
import { inputsFor } from './chosen.ts';
import type { Corpus } from './corpus.ts';
import { drawCorpus } from './corpus.ts';
import { Judges } from './judge.ts';
import { allMutants, shardOf } from './mutant.ts';
import { partMutants } from './part-mutants.ts';
import type { Result } from './results.ts';
import { resultsIn } from './results.ts';
import type { SourceMutant } from './source-mutants.ts';
import { sourceMutants } from './source-mutants.ts';
import { measuredOf, talliesOf } from './table.ts';
import type { MutantVerdict } from './verdict.ts';
import { verdictOn } from './verdict.ts';

/* A small sample: all mutants take hours (`npm run mutants`). */

const FILE = 'model/x86/flags.ts';

const PARTS = partMutants();

let corpus: Corpus;
let judges: Judges;
let ofFile: readonly SourceMutant[];

/** One more mutant, which never ends. */
function endless(number: number): SourceMutant {
  const first = item(ofFile, 0);
  return { ...first, to: '(() => { for (;;); })()', number };
}

beforeAll(async () => {
  ofFile = sourceMutants(sources(FILE));
  const [, ...others] = ofFile;
  corpus = drawCorpus({
    seed: 1,
    sequences: 3,
    hits: 0,
    ofDesigns: 0,
    rareOf: 0,
    rareOfDesigns: 0,
    rareOfOverrides: 0,
    faults: 0,
    images: 5,
    everyScenario: 1000,
    freeing: false,
    programs: 20,
    everyTrace: 0,
    stubs: 5,
    exhaustive: false,
  });
  judges = await Judges.start([endless(1), ...others]);
});

afterAll(() => judges.close());

function judged(name: string): MutantVerdict {
  const { edits, reach } = present(
    PARTS.find((mutant) => mutant.name === name),
    name,
  );
  return verdictOn(inputsFor({ reach, near: [] }, corpus), linkKernel(edits));
}

test('the sound kernel passes every input that mutants are judged on', () => {
  expect(corpus.drawn.length).toBeGreaterThan(10);
  expect(verdictOn(corpus.drawn, linkKernel([]))).toEqual({ is: 'survived', after: corpus.drawn.length });
});

test.each([
  ['register_kprobe/drop/enter the table', 'killed'],
  ['ftrace_replace_code/drop/update the records', 'killed'],
])('%s', (name, is) => {
  expect(judged(name)).toMatchObject({ is });
});

test('a mutant that never ends is ended, and killed', async () => {
  const limited = judges.within({ seconds: 1, megabytes: 1000 });
  const verdict = await limited.source(1, corpus.drawn.slice(0, 1));
  expect(verdict).toMatchObject({ is: 'killed', by: 'no end within the limit' });
});

test('a fault in the flags of a sum is killed by the reference CPU', async () => {
  const mutant = present(
    ofFile.find(({ name }) => name.endsWith('/overflow/logic/a === b && r !== a')),
    'the mutant',
  );
  const programs = corpus.drawn.filter(({ input }) => input.is === 'program');
  const verdict = await judges.source(mutant.number, programs);
  expect(verdict).toMatchObject({ is: 'killed', on: 'program' });
});

test('the shards are a partition, and the seed moves mutants between them', () => {
  const all = allMutants(ofFile);
  const shard = (n: number, seed: number) => shardOf(all, { n, of: 3 }, seed).map(({ name }) => name);
  const shards = [1, 2, 3].map((n) => shard(n, 1));
  expect(shards.flat().sort()).toEqual(all.map(({ name }) => name).sort());
  expect(shard(2, 2)).not.toEqual(shards[1]);
  expect(shard(2, 1)).toEqual(shards[1]);
});

const RESULTS: readonly Result[] = [
  { name: 'a', area: 'r', operator: 'drop', verdict: { is: 'killed', by: 'law', on: 'image', after: 1 } },
  { name: 'b', area: 'r', operator: 'drop', verdict: { is: 'survived', after: 3 } },
  { name: 'c', area: 'r', operator: 'drop', verdict: { is: 'unreached' } },
];

test('a run is resumed after the last whole line of its file', () => {
  const text = RESULTS.map((result) => `${JSON.stringify(result)}\n`).join('');
  expect(resultsIn(text)).toEqual(RESULTS);
  expect(resultsIn(text.slice(0, -3))).toEqual(RESULTS.slice(0, 2));
});

test('a survivor that is explained counts apart', () => {
  const measured = measuredOf(RESULTS, { seed: 1, shards: ['1/1'], mutants: 3 });
  expect(talliesOf(measured, { b: 'it is equivalent' })).toEqual([
    { area: 'r', mutants: 3, killed: 1, explained: 1, survived: 0, unreached: 1 },
  ]);
});

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { benchFor } from '../../checker/images/bench.ts';
import { runCase } from '../../checker/images/case.ts';
import { drawCases } from '../../checker/images/check.ts';
import { COMPARED, compareEngines } from '../../model/x86/both-engines.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { someOf, THOROUGH } from '../../test/thorough.ts';
import { readText } from '../files.ts';
import { KNOWN } from '../known/known.ts';
import { makeCall } from './call.ts';
import { stageOf } from './images.ts';
import { parseRecords } from './record.ts';
import { installRecorded } from './stage.ts';

const RECORDINGS = ['trampolines.jsonl.gz', 'asked.jsonl.gz', '7.3-images.jsonl.gz'];

test.each(RECORDINGS)(
  'both engines agree on the recorded calls of %s',
  (name) => {
    const { records } = parseRecords(readText(join(import.meta.dirname, '../recordings', name)), name);
    const before = COMPARED.runs;
    const executed = someOf(records, 20).filter((record) => {
      const staged = stageOf(record);
      if (staged === undefined) return false;
      compareEngines(staged.stage.machine);
      installRecorded(staged, record);
      return typeof makeCall(staged, record) !== 'string';
    });
    expect(executed.length).toBeGreaterThan(3);
    expect(COMPARED.runs - before).toBeGreaterThan(executed.length);
  },
  1_000_000,
);

test('both engines agree on every path of drawn images', () => {
  const cases = THOROUGH ? 5000 : 30;
  const before = COMPARED.runs;
  const bench = benchFor(undefined);
  compareEngines(bench.stage.machine);
  drawCases({ seed: 9, numRuns: cases }, (c) => {
    runCase(bench, c, { laws: IMAGE_LAWS, known: KNOWN });
  });
  expect(COMPARED.runs - before).toBeGreaterThan(5 * cases);
}, 1_000_000);

import { describe, expect, test } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import { partText } from '../../counterexamples/run-part.ts';
import { attachcheck } from '../../test/console.ts';
import type { EndOfSearch } from '../explore/exploration.ts';
import { scenariosOf } from '../explore/exploration.ts';
import { explorationOf } from '../explore/explore-options.ts';
import { taskAnswer } from '../explore/task-answer.ts';
import { paint } from '../line/paint.ts';
import { isForDesign, kernelOf, refinedSection } from './design-run.ts';

describe('the kernel that is named', () => {
  test.each([
    ['batch', '6.12, multiLinks = batch', true],
    ['tracing multi', '7.2', true],
    ['6.1, multiLinks = batch', '6.1, multiLinks = batch', true],
    ['7.2, multiLinks = tracing multi', '7.2, multiLinks = tracing multi', false],
    ['7.2', '7.2', false],
    ['6.12, imageLifecycle = C', '6.12, imageLifecycle = C', false],
  ])('%s is %s, and for its design: %s', (named, kernel, isDesign) => {
    expect([kernelOf(named), isForDesign(named)]).toEqual([kernel, isDesign]);
  });
});

describe('an impossible design is one sentence, and wrong use', () => {
  test.each([
    [
      ['--kernel', '6.12, multiLinks = nope'],
      'there are no multi links of the design nope; there are none, one by one',
    ],
    [['--kernel', '6.1, multiLinks = global'], 'global cannot run on 6.1'],
    [['--kernel', 'nope'], 'kernel nope is not known'],
    [
      ['explore', '--random', '3', '--kernel', '6.12, multiLinks = nope'],
      'there are no multi links of the design',
    ],
    [['--kernel', '6.12', '--first'], '--first ends the run of a design'],
  ])('%s', async (args, sentence) => {
    const { exit, stdout, stderr } = await attachcheck(args);
    expect([exit, stdout]).toEqual([EXIT.USAGE, '']);
    expect(stderr).toContain(sentence);
  });
});

test('a difference from single links has its own mark, and is no breach', () => {
  const report = '≠ batch does not behave as one by one                                     refine';
  const section = refinedSection({ text: report, json: {}, exit: EXIT.BROKEN, save: [] });
  const { text } = partText(section.part);
  expect(text).toBe(
    `${report}\n\n≠ differences      clients can tell it from one by one, which is no breach`,
  );
  expect([section.exit, section.verdict.breaches]).toEqual([EXIT.HELD, 0]);
  expect(paint(text)).toContain('\x1b[33m≠');
});

describe('a law that no scenario of a design puts to the test', () => {
  const profiles = ['6.12, multiLinks = one by one'];
  const family = { is: 'family', profiles, cpus: 1, tasks: 2, operations: 2, only: [] } as const;
  const search = explorationOf(family, scenariosOf(family).slice(0, 1));
  const explored = (end: EndOfSearch, leavesUnmet: { leavesUnmet?: true }) => {
    const counts = { states: 1, transitions: 1, depth: 1, bytes: 0 };
    const result = { ...counts, end, breaches: [], witnesses: [], fates: [] };
    return taskAnswer({ search: { ...search, ...leavesUnmet }, results: [result] });
  };

  test('leaves nothing open where all were explored to the end, and is not passed', () => {
    const { exit, text, verbose } = explored('complete', { leavesUnmet: true });
    expect(exit).toBe(EXIT.HELD);
    expect(verbose).toContain('    task/program-active-counts-return-to-zero       not met\n');
    expect(verbose).not.toContain('  ✓');
    expect(text).toMatch(/not covered .*\d+ laws not met in these\s+scenarios/s);
  });

  test('leaves it open where one was not, and in every other exploration', () => {
    expect(explored('states', { leavesUnmet: true }).exit).toBe(EXIT.INCONCLUSIVE);
    expect(explored('complete', {}).exit).toBe(EXIT.INCONCLUSIVE);
  });
});

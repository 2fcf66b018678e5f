import { describe, expect, test } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import { attachcheck } from '../../test/console.ts';
import { csvText } from './format.ts';

test('a cell with a comma, a quote or a line break is quoted', () => {
  expect(csvText([['a', 'b, c', 'd "e"', 'f\ng']])).toBe('a,"b, c","d ""e""","f\ng"');
});

describe('--format', () => {
  const cost = ['cost', 'commands/cost/example.json', '--designs', 'single links, generic'];

  test('csv has a row for each function that is refused, and each design', async () => {
    const { exit, stdout } = await attachcheck([...cost, '--format', 'csv']);
    expect(exit).toBe(EXIT.HELD);
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head).toBe('design,kernel,function,errno,why,routine,guard');
    expect(rows.map((row) => row.split(',').slice(0, 4).join(' '))).toEqual([
      '  _printk ',
      'single links 6.12 ktime_get_boot_fast_pair EINVAL',
      'generic 6.12 kuid_has_mapping EINVAL',
      'generic 6.12 ktime_get_boot_fast_pair EINVAL',
    ]);
  });

  test('json is --json', async () => {
    const [named, short] = await Promise.all([
      attachcheck([...cost, '--format', 'json']),
      attachcheck([...cost, '--json']),
    ]);
    expect(named.stdout).toBe(short.stdout);
  });

  test.each([
    ['csw', 'there is no format csw; did you mean csv?'],
    ['junit', 'there is no format junit; there are text, json, csv'],
    ['csv --json', 'cannot be used with option'],
  ])('%s is refused', async (format, sentence) => {
    const { exit, stderr } = await attachcheck([...cost, '--format', ...format.split(' ')]);
    expect(exit).toBe(EXIT.USAGE);
    expect(stderr).toContain(sentence);
  });
});

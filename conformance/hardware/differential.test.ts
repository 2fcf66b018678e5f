import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundled, removeBundle } from '../../test/bundled.ts';
import { someOf } from '../../test/thorough.ts';

let program: string;
beforeAll(async () => {
  program = await bundled({ file: 'conformance/hardware/differential.ts' });
});
afterAll(() => removeBundle(program));

test.each(
  someOf(
    [
      ['an unknown option', ['--speed', '1'], "unknown option '--speed'"],
      [
        'a count that is none',
        ['--sequences', 'many'],
        '--sequences many is not a whole number from 0 to 1000000000',
      ],
      ['a negative seed', ['--seed=-1'], '--seed -1 is not a whole number from 0 to 4294967295'],
      ['an option without its value', ['--index'], "option '--index <n>' argument missing"],
    ],
    4,
  ),
)('%s is answered with one sentence and exit code 2', (_, options, sentence) => {
  const run = spawnSync(process.execPath, [program, ...options], { encoding: 'utf8' });
  expect(run).toMatchObject({ status: 2, stdout: '', stderr: `differential: ${sentence}\n` });
});

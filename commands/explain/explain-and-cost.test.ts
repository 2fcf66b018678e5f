import { expect, test } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import { attachcheck } from '../../test/console.ts';

const TRACE = 'counterexamples/corpus/trampoline/arguments-are-only-copied.null-argument-shortcut.trace';
const LIST = 'commands/cost/example.json';

test.each([
  [['explain', 'gone.trace'], 'gone.trace: there is no such file'],
  [['explain', TRACE, '--step', '0'], '--step 0 is not a whole number from 1 to 2'],
  [['explain', TRACE, '--step', '9'], '--step 9 is not a whole number from 1 to 2'],
  [['cost', 'LICENSE'], 'LICENSE: line 1: "MIT License" is not a function '],
  [['cost', 'package.json'], 'package.json: field functions is missing'],
  [['cost', LIST, '--designs', 'fast'], '--designs fast: unknown design; there are single links, '],
  [['cost', LIST, '--functions', 'tcp_*'], `${LIST}: --functions tcp_* matches no function`],
])('wrong input is refused in one sentence: %j', async (args, sentence) => {
  const { exit, stdout, stderr } = await attachcheck(args);
  expect(stderr).toContain(sentence);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stdout).toBe('');
  expect(exit).toBe(EXIT.USAGE);
});

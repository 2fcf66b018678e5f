import { expect, test } from 'vitest';
import { missingTools, requireTools, runTool, tellingLines } from './tools.ts';

const NONE = { program: 'no-such-program-of-ours', package: 'no-such-package' };

test('what is missing is said with what to install', () => {
  expect(missingTools([{ program: 'sh', package: 'dash' }, NONE])).toEqual([NONE]);
  expect(() => requireTools([NONE])).toThrow(
    'no-such-program-of-ours is missing; on Debian: apt-get install no-such-package',
  );
});

test('a program that fails is said with what it printed last', () => {
  expect(runTool('sh', ['-c', 'echo well'])).toBe('well\n');
  expect(() => runTool('sh', ['-c', 'echo why >&2; exit 3'])).toThrow(/failed:\nwhy$/);
});

test('of a long output, what a compiler complains about is said', () => {
  const output =
    'make: entering\ncc1: error: redefinition of x\n   3 | struct x {\n     |        ^\nmake: *** Error 1\n';
  expect(tellingLines(output)).toBe('cc1: error: redefinition of x');
});

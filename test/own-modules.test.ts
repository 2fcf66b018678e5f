import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../counterexamples/answer.ts';
import { attachcheck } from './console.ts';
import { scratch } from './scratch.ts';
import { TOP } from './sources.ts';

const { file, path } = scratch();

/** A law of one's own, in TypeScript, in a folder that says nothing of modules. */
const OWN = `import type { TaskLaw } from 'attachcheck';
import { PROFILES, registerLaw, registerProfile } from 'attachcheck';

const nobodyEnds: TaskLaw = {
  name: 'mine/nobody-ends',
  sentence: 'No operation ends.',
  source: 'none',
  witness: 'an operation ended',
  judge: ({ happening }) =>
    happening.is === 'operation over'
      ? { is: 'in-own-words', expected: 'nobody ends', observed: 'somebody does' }
      : 'not applicable',
};
registerLaw('interleavings', nobodyEnds);
registerProfile('mine', { ...PROFILES['6.12'], linksMax: 3 });
`;

/** The program in a process of its own: what a module imports leads to it there. */
function started(...args: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', 'tsx', 'main.ts', ...args], {
    cwd: TOP,
    encoding: 'utf8',
  });
  return { stdout, stderr, status };
}

describe('a module that --with names', () => {
  test('is loaded before the command, and by its workers', () => {
    const own = file('own.ts', OWN);
    const only = ['--only', 'register f1, register f1', '--law', 'mine/nobody-ends', '--kernel', 'mine'];
    const { status, stdout, stderr } = started(
      'explore',
      '--with',
      own,
      '--workers',
      '1',
      '--no-save',
      ...only,
    );
    expect(stderr).not.toContain('attachcheck: ');
    expect(status).toBe(EXIT.BROKEN);
    expect(stdout).toContain('expected   nobody ends');
    expect(stdout).toContain(`npm run check -- --with ${own} `);
  });

  test('that is not there is told', async () => {
    const { exit, stderr } = await attachcheck(['--with', path('none.ts'), '--list']);
    expect([exit, stderr]).toEqual([
      EXIT.USAGE,
      `attachcheck: --with ${path('none.ts')}: there is no such file\n`,
    ]);
  });
});

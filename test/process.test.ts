import type { SpawnSyncReturns } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { EXIT } from '../counterexamples/answer.ts';
import { TOP } from './sources.ts';

const TRACE = 'counterexamples/corpus/trampoline/only-moves-arguments.null-argument-shortcut.trace';

/** Runs a line of the shell in which `attachcheck` is the program, started from its sources. */
function shell(line: string, env: Readonly<Record<string, string>> = {}): SpawnSyncReturns<string> {
  const start = `attachcheck() { '${process.execPath}' --import tsx main.ts "$@"; }`;
  return spawnSync('bash', ['-o', 'pipefail', '-c', `${start}; ${line}`], {
    cwd: TOP,
    encoding: 'utf8',
    env: { ...process.env, FORCE_COLOR: undefined, ...env },
  });
}

test('a process ends with the exit code, and says on stderr what was wrong', () => {
  const { status, stdout, stderr } = shell('attachcheck --law nothing');
  expect(stderr).toBe('attachcheck: there is no law nothing; --list names them all\n');
  expect([status, stdout]).toEqual([EXIT.USAGE, '']);
});

test('colours are printed if they are forced', () => {
  const { status, stdout } = shell(`attachcheck replay ${TRACE}`, { FORCE_COLOR: '1' });
  expect(status).toBe(EXIT.BROKEN);
  expect(stdout.startsWith('\x1b[31m✗\x1b[0m ')).toBe(true);
});

test('a reader that has gone is no failure', () => {
  const { status, stderr } = shell('attachcheck --list | true');
  expect([status, stderr]).toEqual([EXIT.HELD, '']);
});

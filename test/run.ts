import { spawnSync } from 'node:child_process';

/*
 * `npm test` lints, checks types and runs all tests. `npm test -- FILE` runs the tests of those files, or of all whose path
 * contains that, and nothing else: who works in one room wants to know about it in seconds.
 */

const named = process.argv.slice(2);
const tests = ['vitest', 'run', ...named];
/** What the compiler knows of files that have not changed since: a check of a few takes seconds. */
const KNOWN = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'];
const commands =
  named.length > 0
    ? [tests]
    : [['biome', 'check', '--error-on-warnings', '.'], ['tsc', '--noEmit', ...KNOWN], tests];

for (const [program = '', ...args] of commands) {
  const { status } = spawnSync(program, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';

/*
 * `npm test` lints, checks types and runs all tests; the first of them that fails ends the others. `npm test -- FILE` runs the
 * tests of those files, or of all whose path contains that, and nothing else: a developer of one directory wants its verdict in
 * seconds.
 */

const named = process.argv.slice(2);
/** What the compiler knows of files that have not changed since: a check of a few takes seconds. */
const KNOWN = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'];
const CHECKS = [
  ['biome', 'check', '--error-on-warnings', '.'],
  ['tsc', '--noEmit', '--pretty', ...KNOWN],
];

const running: ChildProcess[] = [];

function run([program = '', ...args]: readonly string[]): void {
  const child = spawn(program, args, { stdio: 'inherit' });
  running.push(child);
  child.on('exit', (status) => {
    if (status === 0) return;
    process.exitCode ||= status ?? 1;
    for (const other of running) other.kill();
  });
}

if (named.length === 0) for (const check of CHECKS) run(check);
run(['vitest', 'run', ...named]);

import type { SpawnSyncReturns } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { EXIT } from '../counterexamples/answer.ts';
import { bundled, removeBundle } from './bundled.ts';
import { TOP } from './sources.ts';
import { someOf, THOROUGH } from './thorough.ts';

const TRACE = 'counterexamples/corpus/trampoline/arguments-are-only-copied.null-argument-shortcut.trace';

/** The words of a shell that runs a line in which `attachcheck` is the program. */
function inShell(line: string): string[] {
  const start = `attachcheck() { '${process.execPath}' '${TOP}/commands/program/start.mjs' "$@"; }`;
  return ['-o', 'pipefail', '-c', `${start}; ${line}`];
}

function environment(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, FORCE_COLOR: undefined, ...env };
}

/** Runs a line of the shell. */
function shell(line: string, env: Readonly<Record<string, string>> = {}): SpawnSyncReturns<string> {
  return spawnSync('bash', inShell(line), { cwd: TOP, encoding: 'utf8', env: environment(env) });
}

/** The same for a line that takes minutes: the watchdog ends a test that does not give the CPU back. */
async function meanwhile(line: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn('bash', inShell(line), {
    cwd: TOP,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [stdout, status] = await Promise.all([
    text(child.stdout),
    new Promise((resolve) => child.on('close', resolve)),
  ]);
  return { stdout, status };
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

test('output that cannot be written is reported, and changes no verdict', () => {
  const said = /^attachcheck: the output cannot be written: ENOSPC\b.*\n$/;
  const { status, stderr } = shell('attachcheck --list > /dev/full');
  expect([status, stderr]).toEqual([EXIT.HELD, expect.stringMatching(said)]);
  const broken = shell(`attachcheck replay ${TRACE} > /dev/full`);
  expect([broken.status, broken.stderr]).toEqual([EXIT.BROKEN, expect.stringMatching(said)]);
});

test('a counterexample that cannot be saved is reported all the same, with the same exit code', () => {
  const search = 'attachcheck --planted r9-not-restored --seed 3 --save';
  const full = shell(`ulimit -f 0; ${search} "$(mktemp -d)/results"`);
  expect([full.status, full.stdout.split('\n')[0]]).toEqual([EXIT.BROKEN, expect.stringMatching(/^✗ /)]);
  expect(full.stderr).toMatch(/^attachcheck: \S+\.trace could not be saved: EFBIG\b.*\n$/);
  const noFolder = shell(`${search} /dev/null/results`);
  expect(noFolder.status).toBe(EXIT.BROKEN);
  expect(noFolder.stderr).toMatch(/^attachcheck: \S+\.trace could not be saved: ENOTDIR\b.*\n$/);
});

/** A default run that fails while a worker explores, as one does when a law throws. */
const FAILING = `
  import { checkJob } from './commands/check/check.ts';
  import { exploreBeside } from './commands/explore/explore.ts';
  import { defaultExploration, IN_ONE_WORKER } from './commands/explore/explore-options.ts';
  import { drive } from './commands/line/drive.ts';
  const corpus = [{ path: 'a', get text() { throw new Error('a law throws'); } }];
  const explore = () => exploreBeside(defaultExploration(), IN_ONE_WORKER);
  const job = checkJob({ recordings: [], recordedSequences: [], exploreCommand: [], corpus, search: { seed: 1 }, sequences: { profiles: [] }, explore });
  await drive(job, { status() {}, part() {} }).catch((error) => {
    console.error(String(error));
    process.exitCode = 3;
  });
`;

test('a run that fails ends, whatever its workers are at', async () => {
  const failing = await bundled({ code: FAILING }, { bundlesWorkers: true });
  const { stderr, status } = spawnSync(process.execPath, [failing], {
    cwd: TOP,
    encoding: 'utf8',
    timeout: 60_000,
  });
  removeBundle(failing);
  expect([status, stderr]).toEqual([EXIT.FAILED, 'Error: a law throws\n']);
});

/**
 * Searches of each kind, and where there is time the default run; two workers only where they are an option. A report
 * names the file of its breach: those are run in one directory.
 */
const SEARCHES: readonly (readonly [line: string, more: string, from?: string])[] = [
  ...(THOROUGH ? [['--no-save', ''] as const, ['compare --n 50', ''] as const] : []),
  ['--law trampoline/stack-is-aligned --cases 200 --seed 5 --no-save', ''],
  ['--law ftrace/call-sites-match-ops --sequences 20 --seed 5 --no-save', ''],
  ["explore --kernel 6.12 --only 'register f1, register f1' --no-save", '--workers 2'],
  ['explore --kernel 7.2 --random 4 --schedules 5 --seed 3 --no-save', ''],
  ['explore --planted no-sync-after-int3 --no-save', '', '.'],
  ['--planted kprobe-in-a-body-stays-armed --seed 2 --no-save', '', '.'],
  ["refine 'one by one' 'tracing multi' --operations 1 --no-save", '', '.'],
];

const FORMS = SEARCHES.flatMap(([line, more, from]) =>
  ['', '--json'].map((form) => [`${line} ${form}`.trim(), more, from ?? '/'] as const),
);

test.each(someOf(FORMS, 8))(
  'the same search gives the same bytes anywhere: %s',
  { timeout: THOROUGH ? 1_200_000 : 120_000 },
  async (line, more, from) => {
    const [here, there] = await Promise.all([
      meanwhile(`attachcheck ${line}`),
      meanwhile(`cd ${from} && attachcheck ${line} ${more}`, {
        TZ: 'Asia/Kathmandu',
        LANG: 'tr_TR.UTF-8',
        LC_ALL: 'tr_TR.UTF-8',
        COLUMNS: '40',
        CI: '1',
      }),
    ]);
    // The next command repeats the options that were given.
    const [first, second] = [here, there].map(({ stdout }) =>
      stdout.replaceAll(/ *(\\\n *)?--workers 2/g, ''),
    );
    expect(here.stdout).not.toBe('');
    expect(second).toBe(first);
    expect(there.status).toBe(here.status);
  },
);

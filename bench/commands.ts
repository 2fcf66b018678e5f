import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { btfOf } from './btf-list.ts';
import { SCENARIO } from './explore.ts';
import { COMMANDS, FULL } from './figures.ts';
import type { Figure, MeasuredPart } from './row.ts';
import { rowOf } from './row.ts';

/** The compiled command line, beside the compiled bench. */
const MAIN = join(import.meta.dirname, '../main.js');
const BUILD = join(import.meta.dirname, '../../bench/build');

const BTF = join(BUILD, 'btf.json');
/** Enough states that the start of the command and of its threads, and code that is not optimized yet, take a small part. */
const CORES = { calling: 3, states: 16_000_000 };

/** The command lines that are measured. */
export const LINES = {
  check: ['--no-save'],
  kernels: ['explore', '--cpus', '1', '--workers', '2', '--no-save', '--json'],
  compare: ['compare', '--n', '50000'],
  cost: ['cost', BTF],
  explore: ['explore', ...scenarioOptions(), '--no-save', '--json'],
} as const satisfies Record<string, readonly string[]>;

/** A run of some seconds or minutes is measured once: such a figure is coarse. */
export function measureCheck(): MeasuredPart {
  return once(COMMANDS.check, LINES.check);
}

/** All built-in scenarios of all kernels. */
export function measureKernels(): MeasuredPart {
  return once(COMMANDS.kernels, LINES.kernels);
}

export function measureCompare(): MeasuredPart {
  return once(COMMANDS.compare, LINES.compare);
}

const FUNCTIONS = 60_000;

export function measureCost(): MeasuredPart {
  mkdirSync(BUILD, { recursive: true });
  writeFileSync(BTF, JSON.stringify(btfOf(FUNCTIONS)));
  return once(COMMANDS.cost, LINES.cost);
}

function once(figure: Figure, args: readonly string[]): MeasuredPart {
  return { rows: [rowOf(figure, [run([MAIN, ...args]).seconds], [])], missing: [] };
}

const START_ROUNDS = 15;

/** The start of the compiled form, to that of Node alone. */
export function measureStart(): MeasuredPart {
  const ours: number[] = [];
  const node: number[] = [];
  for (let round = 0; round < START_ROUNDS; round++) {
    ours.push(run([MAIN, '--version']).seconds);
    node.push(run(['-e', '0']).seconds);
  }
  return { rows: [rowOf(COMMANDS.start, ours, node)], missing: [] };
}

/** The scenario of the full model with a call more; besides those that call, two tasks operate. */
function scenarioOptions(): string[] {
  const { kernel, pair, cpus } = SCENARIO;
  const size = ['--cpus', cpus, '--tasks', CORES.calling + 2, '--states', CORES.states].map(String);
  return ['--only', pair, '--kernel', kernel, ...size];
}

/**
 * States of one scenario in a second with two workers, to those with one, once: both count the same. Beside that two searches
 * at the same time that share nothing: no way to share one gets further on this machine.
 */
export function measureCores(): MeasuredPart {
  const searched = (workers: number) => {
    const { stdout, seconds } = run([MAIN, ...LINES.explore, '--workers', String(workers)]);
    const states = statesIn(stdout);
    return { states, rate: states / seconds };
  };
  const two = searched(2);
  const single = searched(1);
  if (two.states !== single.states)
    throw new Error(`two workers count ${two.states} states, one counts ${single.states}`);
  const { seconds } = started('sh', ['-c', TWICE, process.execPath, MAIN, ...LINES.explore]);
  const apart = (2 * single.states) / seconds;
  const rows = [rowOf(FULL.cores, [two.rate], [single.rate]), rowOf(FULL.apart, [apart], [single.rate])];
  return { rows, missing: [] };
}

/** A command for the shell, twice at the same time, which has to end alike. */
const TWICE = '"$0" "$@" >/dev/null & "$0" "$@" >/dev/null; s=$?; wait $!; [ $? -eq $s ] || exit 3; exit $s';

/** States of all scenarios of an answer of `explore --json`. */
function statesIn(json: string): number {
  const { scenarios } = JSON.parse(json) as { scenarios: readonly { readonly states: number }[] };
  return scenarios.reduce((sum, { states }) => sum + states, 0);
}

/** Exit codes of a command that has done its work: held, broken, inconclusive. */
const DONE: readonly (number | null)[] = [0, 1, 4];
/** Bytes of an answer at most. */
const MOST = 2 ** 28;

/** A command of Node. */
function run(args: readonly string[]): { readonly stdout: string; readonly seconds: number } {
  return started(process.execPath, args);
}

function started(
  program: string,
  args: readonly string[],
): { readonly stdout: string; readonly seconds: number } {
  const begun = performance.now();
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: MOST });
  const seconds = (performance.now() - begun) / 1000;
  if (!DONE.includes(status)) throw new Error(`${args.join(' ')} failed: ${stderr.slice(-400)}`);
  return { stdout, seconds };
}

/*
 * The peer of the explorer: Spin on `text-poke.pml`, without its reduction, which would leave out states that we count.
 *
 *     apt-get install spin gcc libc6-dev
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NoPeer } from '../peer.ts';
import type { PokeSize } from '../poke-search.ts';

/** The sources of this peer, wherever this file was compiled to. */
const SPIN = [import.meta.dirname, join(import.meta.dirname, '../../../bench/spin')].find((path) =>
  existsSync(join(path, 'text-poke.pml')),
)!;

/** What Spin says of a search to its end. */
export interface SpinSearched {
  readonly states: number;
  /** Without the one that Spin counts for coming to the first state. */
  readonly transitions: number;
  /** By Spin's own clock, which has steps of a hundredth. */
  readonly seconds: number;
  /** Bytes of the stored states, without the hash table; null when Spin does not say. */
  readonly bytes: number | null;
}

/** Builds Spin's search of the small model in a size; a sentence when this machine cannot. */
export function buildSpin({ readers, sites }: PokeSize): (() => SpinSearched) | NoPeer {
  const cwd = join(SPIN, '../build', `spin-${readers}-${sites}`);
  mkdirSync(cwd, { recursive: true });
  const model = join(SPIN, 'text-poke.pml');
  const made = spawnSync('spin', ['-a', `-DREADERS=${readers}`, `-DSITES=${sites}`, model], { cwd });
  if (made.error !== undefined) return { missing: 'Spin is not installed: apt-get install spin' };
  if (made.status !== 0) throw new Error(`Spin does not take ${model}: ${made.stdout}`);
  const built = spawnSync('gcc', ['-O2', '-DNOREDUCE', '-DSAFETY', '-o', 'pan', 'pan.c'], { cwd });
  if (built.error !== undefined) return { missing: 'there is no C compiler: apt-get install gcc libc6-dev' };
  if (built.status !== 0) throw new Error(`gcc does not take what Spin made: ${built.stderr}`);
  return () => {
    const { stdout } = spawnSync('./pan', [`-m${DEPTH}`], { cwd, encoding: 'utf8' });
    return readReport(stdout);
  };
}

/** Moves from the first state at most: a search that would need more is refused. */
const DEPTH = 100_000;

function readReport(report: string): SpinSearched {
  const number = (pattern: RegExp) => {
    const found = pattern.exec(report)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const states = number(/(\d+) states, stored/);
  const transitions = number(/(\d+) transitions/);
  const seconds = number(/elapsed time ([\d.]+) seconds/);
  const isComplete = number(/errors: (\d+)/) === 0 && !/too small|not completed/.test(report);
  if (states === undefined || transitions === undefined || seconds === undefined || !isComplete)
    throw new Error(`Spin did not come to the end: ${report.slice(0, 400)}`);
  const megabytes = number(/([\d.]+)\s+actual memory usage for states/);
  return {
    states,
    transitions: transitions - 1,
    seconds,
    bytes: megabytes === undefined ? null : megabytes * 2 ** 20,
  };
}

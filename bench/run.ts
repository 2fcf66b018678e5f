import { Command } from 'commander';
import { measureExploration, median } from './explore.ts';
import { EXPLORED_TARGETS, exploredJson, exploredLines, thousands } from './explore-table.ts';
import type { NoPeer, Peer, Reuse } from './peer.ts';
import { buildPeer } from './peer.ts';
import { measureWalk } from './walk.ts';
import type { Workload } from './workload.ts';
import { createWorkload, executeDrawn, executeFresh, executeImage, executeSame } from './workload.ts';

/** One figure: how often we do something in a second, beside a peer that does the same in the same run. */
interface Bench {
  readonly name: string;
  readonly execute: (workload: Workload, count: number, round: number) => void;
  /** What the peer does meanwhile. */
  readonly peer: Reuse;
  /** Our executions between two readings of the clock. */
  readonly batch: number;
  readonly floor: number;
  readonly aim: number;
}

const BENCHES: readonly Bench[] = [
  {
    name: 'checked executions of one image',
    execute: executeSame,
    peer: 'same',
    batch: 5000,
    floor: 4,
    aim: 12,
  },
  {
    name: 'a fresh image for every execution',
    execute: executeFresh,
    peer: 'fresh',
    batch: 500,
    floor: 20,
    aim: 60,
  },
  {
    name: 'the same driven by fast-check',
    execute: executeDrawn,
    peer: 'fresh',
    batch: 500,
    floor: 10,
    aim: 30,
  },
  {
    name: 'a fresh image among known stubs',
    execute: executeImage,
    peer: 'image',
    batch: 500,
    floor: 8,
    aim: 24,
  },
];

/** Executions before the first round: it takes a compiler that long to settle on a hundred small functions. */
const WARM_UP = 150_000;
/** Rounds, and the seconds that each side has in one. */
const ROUNDS = 9;
const SECONDS = 0.5;

/** A random walk of the full model, beside Quint's TypeScript simulator on a small one that has no law. */
const WALK = { name: 'steps of a random walk', floor: 5, aim: 15 } as const;
const JUDGED_WALK = { name: 'the same, all laws asked after each call' } as const;
/** Rounds of it: a run of the peer takes ten seconds. */
const WALK_ROUNDS = 7;
const WALK_SECONDS = 3;

interface Measured {
  readonly bench: { readonly name: string; readonly floor?: number; readonly aim?: number };
  readonly ours: number;
  readonly peer: number | undefined;
  /** The median of the rounds' ratios. */
  readonly ratio: number | undefined;
}

/** Alternates between us and the peer, so that both see the same machine. */
function measure(bench: Bench, workload: Workload, peer: Peer | undefined): Measured {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let done = 0; done < WARM_UP; done += bench.batch) bench.execute(workload, bench.batch, done);
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(ownRate(bench, workload, round));
    if (peer !== undefined) theirs.push(peer(bench.peer, SECONDS));
  }
  return measuredOf(bench, ours, theirs);
}

function measureRandomWalks(): Measured[] {
  const { model, laws, peer } = measureWalk(WALK_ROUNDS, WALK_SECONDS);
  return [measuredOf(WALK, model, peer), measuredOf(JUDGED_WALK, laws, peer)];
}

function measuredOf(bench: Measured['bench'], ours: readonly number[], theirs: readonly number[]): Measured {
  const known = theirs.length > 0;
  return {
    bench,
    ours: median(ours),
    peer: known ? median(theirs) : undefined,
    ratio: known ? median(theirs.map((rate, i) => ours[i]! / rate)) : undefined,
  };
}

function ownRate({ execute, batch }: Bench, workload: Workload, round: number): number {
  const begun = performance.now();
  let count = 0;
  let spent = 0;
  for (; spent < SECONDS * 1000; spent = performance.now() - begun) {
    execute(workload, batch, round * 1000 + count);
    count += batch;
  }
  return (count / spent) * 1000;
}

function printTable(measured: readonly Measured[]): string {
  const head = ['', 'per second', 'peer', 'ratio', 'floor', 'aim'];
  const rows = measured.map(({ bench, ours, peer, ratio }) => [
    bench.name,
    thousands(ours),
    peer === undefined ? '–' : thousands(peer),
    ratio === undefined ? '–' : `${ratio.toFixed(1)}x`,
    times(bench.floor),
    times(bench.aim),
  ]);
  return aligned([head, ...rows], [40, 12, 10, 8, 6, 6]);
}

function aligned(lines: readonly (readonly string[])[], widths: readonly number[]): string {
  return lines
    .map((cells) =>
      cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(''),
    )
    .join('\n');
}

/** `5x`; a figure that has no target has none. */
function times(ratio: number | undefined): string {
  return ratio === undefined ? '–' : `${ratio}x`;
}

const cli = new Command('bench')
  .description(
    'Measures the emulator beside Unicorn with CODE and MEM hooks, a random walk beside Quint, the explorer beside Spin.',
  )
  .option('--json', 'print an array of {name, ratio, floor, aim}; the ratio is null where there is no peer')
  .option('--explorer', 'the explorer alone')
  .parse();

const { json = false, explorer = false } = cli.opts<{ json?: boolean; explorer?: boolean }>();
const workload = explorer ? undefined : createWorkload();
const peer: Peer | NoPeer | undefined = workload && buildPeer(workload);
const available = typeof peer === 'function' ? peer : undefined;
const measured =
  workload === undefined
    ? []
    : [...BENCHES.map((bench) => measure(bench, workload, available)), ...measureRandomWalks()];
const [explored, noSpin] = measureExploration();
process.stdout.write(json ? jsonOf() : tables());
if (measured.length > 0 && measured.at(-1)!.peer === undefined)
  process.stderr.write('no peer for the random walk: Quint is not installed (npm ci in bench/quint)\n');
if (typeof peer === 'object') process.stderr.write(`no peer to compare with: ${peer.missing}\n`);
if (noSpin !== undefined) process.stderr.write(`no peer for the explorer: ${noSpin.missing}\n`);

function tables(): string {
  const search = aligned(exploredLines(explored), [36, 10, 12, 10, 8, 7, 6]);
  return `${measured.length > 0 ? `${printTable(measured)}\n\n` : ''}${search}\n${EXPLORED_TARGETS}\n`;
}

function jsonOf(): string {
  const rows = measured.map(({ bench: { name, floor = null, aim = null }, ratio }) => ({
    name,
    ratio: ratio ?? null,
    floor,
    aim,
  }));
  return `${JSON.stringify([...rows, ...exploredJson(explored)], undefined, 2)}\n`;
}

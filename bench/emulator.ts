import { IMAGES } from './figures.ts';
import type { Reuse } from './peer.ts';
import { buildPeer } from './peer.ts';
import type { Figure, MeasuredPart } from './row.ts';
import { rowOf } from './row.ts';
import type { Workload } from './workload.ts';
import { createWorkload, executeDrawn, executeFresh, executeImage, executeSame } from './workload.ts';

/** How often we do something in a second, beside a peer that does the same in the same run. */
interface Bench {
  readonly figure: Figure;
  readonly execute: (workload: Workload, count: number, round: number) => void;
  /** What the peer does meanwhile. */
  readonly peer: Reuse;
  /** Our executions between two readings of the clock. */
  readonly batch: number;
}

const BENCHES: readonly Bench[] = [
  { figure: IMAGES.same, execute: executeSame, peer: 'same', batch: 5000 },
  { figure: IMAGES.fresh, execute: executeFresh, peer: 'fresh', batch: 500 },
  { figure: IMAGES.drawn, execute: executeDrawn, peer: 'fresh', batch: 500 },
  { figure: IMAGES.image, execute: executeImage, peer: 'image', batch: 500 },
];

/** Executions before the first round: it takes a compiler that long to settle on a hundred small functions. */
const WARM_UP = 150_000;
/** Rounds, and the seconds that each side has in one. */
const ROUNDS = 9;
const SECONDS = 0.5;

/** Executions of images, beside Unicorn. Both alternate, so that they see the same machine. */
export function measureEmulator(): MeasuredPart {
  const workload = createWorkload();
  const peer = buildPeer(workload);
  const rows = BENCHES.map((bench) => {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let done = 0; done < WARM_UP; done += bench.batch) bench.execute(workload, bench.batch, done);
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(ownRate(bench, workload, round));
      if (typeof peer === 'function') theirs.push(peer(bench.peer, SECONDS));
    }
    return rowOf(bench.figure, ours, theirs);
  });
  return { rows, missing: typeof peer === 'function' ? [] : [peer.missing] };
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

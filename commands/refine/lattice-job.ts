import type { JobProgress } from '../../counterexamples/answer.ts';
import { counted } from '../../counterexamples/text.ts';
import type { WaitingJob } from '../explore/explore.ts';
import type { LatticeQuestion } from './lattice-search.ts';
import { LatticeSearch } from './lattice-search.ts';
import { RefinePool } from './refine-pool.ts';

/** Compares all designs with each other, in workers; the result does not depend on their number. */
export async function* latticeJob(question: LatticeQuestion, workers: number): WaitingJob {
  const search = new LatticeSearch(question);
  const pool = new RefinePool(workers);
  let stop = false;
  try {
    for (let asks = search.goOn(stop); asks.length > 0; asks = search.goOn(stop)) {
      const playing = pool.play(asks);
      for (let step = await playing.next(stop); step.done !== true; step = await playing.next(stop)) {
        for (const { ask, told } of step.value) search.tell(ask, told);
        const wanted = yield progressOf(search);
        stop ||= wanted;
      }
    }
    return search.answer();
  } finally {
    await pool.close();
  }
}

function progressOf({ played, left }: LatticeSearch): JobProgress {
  return {
    part: 'refine --all',
    now: `${counted(left, 'pair')} of designs left`,
    done: played,
    unit: 'operation',
  };
}

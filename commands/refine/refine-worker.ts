import { parentPort, workerData } from 'node:worker_threads';
import type { Ask } from '../../checker/refinement/behaviour.ts';
import type { BehaviourKind } from '../../checker/refinement/behaviours.ts';
import { Players } from '../../checker/refinement/behaviours.ts';
import type { ToldLetter } from '../../checker/refinement/player.ts';
import { loadModules } from '../line/own-modules.ts';

/** Operations for a worker to play. */
export interface ToPlay extends Pick<Ask, 'history' | 'letters' | 'areLast'> {
  readonly number: number;
  readonly of: BehaviourKind;
}

/** The answers of a worker. */
export type PlayedAsk =
  | { readonly number: number; readonly told: readonly ToldLetter[] }
  | { readonly number: number; readonly error: unknown };

/** It returns to kernels in which it has played. */
const KERNELS_AT_ONCE = 40;

const port = parentPort!;
const players = new Players(KERNELS_AT_ONCE);

await loadModules(workerData as readonly string[]);

port.on('message', (ask: ToPlay) => {
  port.postMessage(played(ask));
});

function played(ask: ToPlay): PlayedAsk {
  const { number } = ask;
  try {
    return { number, told: players.play(ask) };
  } catch (error) {
    return { number, error };
  }
}

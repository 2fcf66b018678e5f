import type { Action } from '../../model/client/all.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { doLetter } from './client.ts';
import type { Difference } from './difference.ts';
import { differenceOf } from './difference.ts';
import type { HistoryScene, PlayedHistory } from './history.ts';
import { firstScene, HistoryOperation } from './history.ts';
import type { Letter } from './letter.ts';
import { NO_CLIENT } from './letter.ts';

/** Two kernels and a history: a client's actions in both, one list for each operation. */
export interface History {
  readonly profiles: readonly [string, string];
  readonly functions: readonly TracedFunction[];
  readonly operations: readonly (readonly Action[])[];
}

/** One operation in both kernels. */
export type Retold = readonly [PlayedHistory, PlayedHistory];

/**
 * A history, up to the first operation in which the first kernel has an observation that the second does not allow.
 */
export interface Retelling {
  readonly steps: readonly Retold[];
  readonly difference: Difference | undefined;
}

/** Plays a history in both kernels. */
export function retell({ profiles, functions, operations }: History): Retelling {
  const steps: Retold[] = [];
  let [scene, other] = profiles.map((profile) => firstScene(profile, functions));
  for (const actions of operations) {
    if (scene === undefined || other === undefined) break;
    const step: Retold = [operate(scene, actions), operate(other, actions)];
    steps.push(step);
    const difference = differenceOf(step[0].shown, step[1].shown, scene.calls);
    if (difference !== undefined) return { steps, difference };
    [scene, other] = step.map(({ next }) => next);
  }
  return { steps, difference: undefined };
}

function operate(scene: HistoryScene, actions: readonly Action[]): PlayedHistory {
  const operation = new HistoryOperation(scene);
  for (const action of actions) operation.do(action);
  return operation.end();
}

/** The client's actions in each operation of a history of symbols, as the first kernel answers them. */
export function actionsOf(
  letters: readonly Letter[],
  profile: string,
  functions: readonly TracedFunction[],
): readonly (readonly Action[])[] {
  let scene: HistoryScene | undefined = firstScene(profile, functions);
  let client = NO_CLIENT;
  return letters.map((letter) => {
    if (scene === undefined) throw new Error('a history continues after its end');
    const done = doLetter(scene, client, letter);
    scene = done.played.next;
    client = done.client;
    return done.played.actions;
  });
}

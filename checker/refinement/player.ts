import { createHash } from 'node:crypto';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { doLetter } from './client.ts';
import type { HistoryScene, ShownCall } from './history.ts';
import { firstScene } from './history.ts';
import type { Letter, LetterClient } from './letter.ts';
import { NO_CLIENT, spellLetter } from './letter.ts';
import { stateKey } from './state-key.ts';

/** The outcome of one operation. */
export interface ToldLetter {
  /** The symbol, as `spellLetter()` has it. */
  readonly name: string;
  readonly shown: ShownCall;
  /** Undefined: the history ends there, or the state was not requested. */
  readonly next: NextLetter | undefined;
}

/** The resulting state of an operation. */
export interface NextLetter {
  /** A digest of the state, short enough to be kept for all: states with the same future have the same. */
  readonly key: string;
  readonly client: LetterClient;
}

/** A kernel at rest, and the client's objects there. */
interface Place {
  readonly scene: HistoryScene;
  readonly client: LetterClient;
}

/** Scenes that are kept; others are played again. */
const SCENES_MOST = 300;

/** Plays operations of histories in one kernel. */
export class HistoryPlayer {
  private readonly start: Place;
  private readonly places = new Map<string, Place>();

  constructor(profile: string, functions: readonly TracedFunction[]) {
    this.start = { scene: firstScene(profile, functions), client: NO_CLIENT };
  }

  /** Each of some operations after a history; the resulting states are included unless they are the last ones. */
  play(history: readonly Letter[], letters: readonly Letter[], areLast: boolean): ToldLetter[] {
    const { scene, client } = this.placeBehind(history);
    return letters.map((letter) => {
      const { played, client: next } = doLetter(scene, client, letter);
      const { shown } = played;
      const leads = areLast || played.next === undefined ? undefined : nextOf(played.next, next);
      return { name: spellLetter(letter), shown, next: leads };
    });
  }

  /** Idle: it keeps the events of calls, and no kernels. */
  rest(): void {
    this.places.clear();
  }

  private placeBehind(history: readonly Letter[]): Place {
    const last = history.at(-1);
    if (last === undefined) return this.start;
    const name = history.map(spellLetter).join('; ');
    const known = this.places.get(name);
    if (known !== undefined) return known;
    const { scene, client } = this.placeBehind(history.slice(0, -1));
    const { played, client: next } = doLetter(scene, client, last);
    if (played.next === undefined) throw new Error(`a history continues after its end: ${name}`);
    const place = { scene: played.next, client: next };
    if (this.places.size >= SCENES_MOST) this.places.clear();
    this.places.set(name, place);
    return place;
  }
}

function nextOf({ k }: HistoryScene, client: LetterClient): NextLetter {
  const state = `${JSON.stringify(client)} ${stateKey(k)}`;
  return { key: createHash('sha256').update(state).digest('base64'), client };
}

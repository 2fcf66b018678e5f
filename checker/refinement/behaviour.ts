import { item } from '../../model/core/present.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import type { Calls, ShownCall } from './history.ts';
import { firstScene } from './history.ts';
import type { Letter, LetterClient } from './letter.ts';
import { NO_CLIENT, spellLetter } from './letter.ts';
import type { NextLetter, ToldLetter } from './player.ts';

/** The outcome of one operation in one kernel. */
export interface Edge {
  readonly shown: ShownCall;
  /** Number of the resulting state; undefined: the history ends there, or the state was not requested. */
  readonly next: number | undefined;
}

/** Requested operations of one kernel. */
export interface Ask {
  readonly of: Behaviour;
  readonly state: number;
  /** A history that reaches the state. */
  readonly history: readonly Letter[];
  readonly letters: readonly Letter[];
  /** The resulting states are not needed. */
  readonly areLast: boolean;
}

/** Whether it concerns the first operations of histories: those must be answered even when the search stops. */
export function isFirst({ state }: Ask): boolean {
  return state === 0;
}

interface State {
  /** Its digest; empty after the boot. */
  readonly key: string;
  readonly history: readonly Letter[];
  readonly client: LetterClient;
  readonly calls: Calls;
  readonly edges: Map<string, Edge & { readonly isLast: boolean }>;
}

/** The requests for one state. */
interface Asked {
  readonly letters: Map<string, Letter>;
  areLast: boolean;
}

/**
 * The behaviour of a kernel, as far as it was requested: states at rest by number, 0 after the boot, and the
 * observation of each operation there. Histories that end in the same state have the same future.
 */
export class Behaviour {
  /** Operations that were answered, each in each state once. */
  played = 0;
  private readonly states: State[] = [];
  private readonly numbers = new Map<string, number>();
  private asked = new Map<number, Asked>();

  constructor(
    readonly profile: string,
    readonly functions: readonly TracedFunction[],
    /** Told the first answer to each: the digest of the state, and the operation. */
    private readonly note: (key: string, letter: string) => void = () => {},
  ) {
    const { calls } = firstScene(profile, functions);
    this.states.push({ key: '', history: [], client: NO_CLIENT, calls, edges: new Map() });
  }

  /** The client's objects in a state. */
  clientIn(state: number): LetterClient {
    return item(this.states, state).client;
  }

  /** The events of calls in it. */
  callsIn(state: number): Calls {
    return item(this.states, state).calls;
  }

  /**
   * Requests the observations of operations in a state; for the last ones of histories without the resulting states.
   */
  ask(state: number, letters: readonly Letter[], areLast: boolean): void {
    const { edges } = item(this.states, state);
    for (const letter of letters) {
      const name = spellLetter(letter);
      const known = edges.get(name);
      if (known !== undefined && (areLast || !known.isLast)) continue;
      const asked = this.asked.get(state) ?? { letters: new Map(), areLast: true };
      asked.letters.set(name, letter);
      asked.areLast &&= areLast;
      this.asked.set(state, asked);
    }
  }

  /** The requests since the last call, state by state. */
  takeAsks(): Ask[] {
    const asks = [...this.asked].map(([state, { letters, areLast }]) => ({
      of: this,
      state,
      history: item(this.states, state).history,
      letters: [...letters.values()],
      areLast,
    }));
    this.asked = new Map();
    return asks;
  }

  /** Accepts answers; `shared` gives equal observations as one. */
  tell(
    { state, history, letters, areLast }: Ask,
    told: readonly ToldLetter[],
    shared: (shown: ShownCall) => ShownCall,
  ): void {
    const { key, edges } = item(this.states, state);
    told.forEach(({ name, shown, next }, i) => {
      if (!edges.has(name)) {
        this.played++;
        this.note(key, name);
      }
      const edge = { shown: shared(shown), isLast: areLast };
      const leads =
        next === undefined ? undefined : this.numberOf(next, [...history, item(letters, i)], edge.shown);
      edges.set(name, { ...edge, next: leads });
    });
  }

  /** The observation of a requested operation in a state; `name` is the symbol as `spellLetter()` has it. */
  after(state: number, name: string): Edge {
    const edge = item(this.states, state).edges.get(name);
    if (edge === undefined) throw new Error(`no observation of ${name} in ${this.profile}`);
    return edge;
  }

  private numberOf({ key, client }: NextLetter, history: readonly Letter[], { after }: ShownCall): number {
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.states.push({ key, history, client, calls: after, edges: new Map() }) - 1;
      this.numbers.set(key, number);
    }
    return number;
  }
}

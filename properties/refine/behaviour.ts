import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { doLetter } from './client.ts';
import type { Calls, Scene, Shown } from './history.ts';
import { firstScene } from './history.ts';
import type { Client, Letter } from './letter.ts';
import { NO_CLIENT } from './letter.ts';
import { stateKey } from './state-key.ts';

/** What one operation has come to in one kernel. */
export interface Edge {
  readonly shown: Shown;
  /** Number of the state that comes of it; undefined: nothing can be done after it, or nobody has asked. */
  readonly next: number | undefined;
}

/** How a kernel behaves: states at rest by number, 0 behind the boot, and what each operation shows there. */
export interface Behaves {
  /** What the client has in a state. */
  clientIn(state: number): Client;
  /** What calls show in it. */
  callsIn(state: number): Calls;
  /**
   * What an operation shows in a state; `name` is the letter as `spellLetter()` has it. Of the last one of a history it
   * is not asked where it leads.
   */
  after(state: number, letter: Letter, name: string, isLast: boolean): Edge;
}

interface State {
  readonly scene: Scene;
  readonly client: Client;
  readonly edges: Map<string, Edge & { readonly isLast: boolean }>;
}

/**
 * The behaviour of one kernel, worked out as far as it is asked for. Histories that end in the same state have the same
 * future.
 */
export class Behaviour implements Behaves {
  /** Operations that were played. */
  played = 0;
  private readonly states: State[] = [];
  private readonly numbers = new Map<string, number>();

  constructor(
    readonly profile: string,
    functions: readonly TracedFunction[],
  ) {
    this.numberOf(firstScene(profile, functions), NO_CLIENT);
  }

  clientIn(state: number): Client {
    return this.states[state]!.client;
  }

  callsIn(state: number): Calls {
    return this.states[state]!.scene.calls;
  }

  after(state: number, letter: Letter, name: string, isLast: boolean): Edge {
    const { scene, client, edges } = this.states[state]!;
    const known = edges.get(name);
    if (known !== undefined && (isLast || !known.isLast)) return known;
    this.played++;
    const done = doLetter(scene, client, letter);
    const { shown, next } = done.played;
    const leads = isLast || next === undefined ? undefined : this.numberOf(next, done.client);
    const edge = { shown, next: leads, isLast };
    edges.set(name, edge);
    return edge;
  }

  private numberOf(scene: Scene, client: Client): number {
    const key = `${JSON.stringify(client)} ${stateKey(scene.k)}`;
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.states.push({ scene, client, edges: new Map() }) - 1;
      this.numbers.set(key, number);
    }
    return number;
  }
}

import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import type { Ask } from './behaviour.ts';
import { Behaviour } from './behaviour.ts';
import type { ShownCall } from './history.ts';
import type { ToldLetter } from './player.ts';
import { HistoryPlayer } from './player.ts';

/** The behaviours of the compared kernels, each computed once. */
export class Behaviours {
  private readonly known = new Map<string, Behaviour>();
  private readonly shown = new Map<string, ShownCall>();

  /** Told each operation that is played, by a name that it has in every run. */
  constructor(private readonly note: ((operation: string) => void) | undefined = undefined) {}

  of(profile: string, functions: readonly TracedFunction[]): Behaviour {
    const name = nameOf({ profile, functions });
    const known = this.known.get(name) ?? new Behaviour(profile, functions, this.noteOf(name));
    this.known.set(name, known);
    return known;
  }

  private noteOf(name: string): ((key: string, letter: string) => void) | undefined {
    const { note } = this;
    return note && ((key, letter) => note(`${name}; ${key}; ${letter}`));
  }

  /** The requests since the last call. */
  takeAsks(): Ask[] {
    return [...this.known.values()].flatMap((behaviour) => behaviour.takeAsks());
  }

  tell(ask: Ask, told: readonly ToldLetter[]): void {
    ask.of.tell(ask, told, (shown) => this.shared(shown));
  }

  /** Operations that were played in all of them. */
  get played(): number {
    return [...this.known.values()].reduce((sum, { played }) => sum + played, 0);
  }

  /** Few observations are different: each is kept once. */
  private shared(shown: ShownCall): ShownCall {
    const text = JSON.stringify({ ...shown, between: [...shown.between], after: [...shown.after] });
    const known = this.shown.get(text) ?? shown;
    this.shown.set(text, known);
    return known;
  }
}

/** Players for a few kernels, the most recently used. */
export class Players {
  private readonly players = new Map<string, HistoryPlayer>();
  private last: HistoryPlayer | undefined;

  constructor(private readonly most: number) {}

  play({
    of,
    history,
    letters,
    areLast,
  }: Pick<Ask, 'history' | 'letters' | 'areLast'> & { of: BehaviourKind }): ToldLetter[] {
    const name = nameOf(of);
    const player = this.players.get(name) ?? new HistoryPlayer(of.profile, of.functions);
    if (player !== this.last) this.last?.rest();
    this.last = player;
    this.players.delete(name);
    this.players.set(name, player);
    const [oldest] = this.players.keys();
    if (this.players.size > this.most) this.players.delete(oldest!);
    return player.play(history, letters, areLast);
  }
}

/** A kernel with its functions. */
export interface BehaviourKind {
  readonly profile: string;
  readonly functions: readonly TracedFunction[];
}

export function nameOf({ profile, functions }: BehaviourKind): string {
  return [profile, ...functions.map(({ name }) => name)].join(' ');
}

import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Outcome } from '../../model/call/outcome.ts';
import type { Action } from '../../model/client/all.ts';
import type { Crash } from '../../model/core/crash.ts';
import type { Errno } from '../../model/core/errno.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import type { KnownAttachBreach } from '../sequences/known-breach.ts';
import type { AttachBreach } from '../sequences/played.ts';
import { SequencePlayer } from '../sequences/run-sequence.ts';
import { CONTRACT_LAWS } from './contract-laws.ts';
import type { Mechanism } from './mechanism.ts';

/** Where mechanisms meet: a function in a kernel, and how it is called. */
export interface MatrixScene {
  /** Kernel and overridden behaviours, as `profileNamed()` takes them. */
  readonly profile: string;
  readonly fn: TracedFunction;
  readonly call: Action;
  /** The kernel's routines; a planted bug replaces some. */
  readonly program: KernelProgram;
  readonly known: readonly KnownAttachBreach[];
}

/** The action of one of the two. */
export interface CellTurn {
  readonly do: 'attach' | 'detach';
  readonly who: 'first' | 'second';
}

/** One turn that was played, and the events of a call after it. */
export interface PlayedTurn extends CellTurn {
  readonly actions: readonly Action[];
  readonly outcomes: readonly Outcome[];
  /** The answer to the client. */
  readonly errno: Errno | 0;
  /** Undefined when the kernel crashed before. */
  readonly call: Outcome['call'];
}

/** The two attach, one after the other, and are detached again, in one of two orders. */
export interface Play {
  /** All actions, the calls of the function among them. */
  readonly actions: readonly Action[];
  readonly turns: readonly PlayedTurn[];
  /** The first call whose events differ from the promised ones. */
  readonly loss: AttachBreach | undefined;
  /** How the kernel crashed, and after which turn. */
  readonly died: Crash | undefined;
  /** Breaches of any law, among them those that are known. */
  readonly known: readonly KnownAttachBreach[];
  readonly newBreach: AttachBreach | undefined;
}

/** The outcome for two mechanisms on one function. */
export type CellVerdict =
  | { readonly is: 'ok' }
  | { readonly is: 'refused'; readonly errno: Errno; readonly turn: CellTurn }
  | { readonly is: 'loss'; readonly breach: AttachBreach }
  | { readonly is: 'dies'; readonly crash: Crash };

/** Two mechanisms on one function, the second attached after the first. */
export interface MatrixCell {
  readonly first: Mechanism;
  readonly second: Mechanism;
  /** The first is detached first; the second is. Only one when the second was refused. */
  readonly plays: readonly Play[];
  readonly verdict: CellVerdict;
}

/** Plays a cell: attach, attach, detach, detach, and a call of the function after each. */
export function playCell(scene: MatrixScene, first: Mechanism, second: Mechanism): MatrixCell {
  const pair = { first, second };
  const inOrder = play(scene, pair, ['first', 'second']);
  const isAttached = inOrder.turns[1]?.errno === 0;
  const plays = isAttached ? [inOrder, play(scene, pair, ['second', 'first'])] : [inOrder];
  return { ...pair, plays, verdict: verdictOf(plays) };
}

/** The answer to a mechanism that is alone: 0 if the kernel has it. */
export function aloneErrno(scene: MatrixScene, mechanism: Mechanism): Errno | 0 {
  const client = new Clients(scene, { first: mechanism, second: mechanism }, []);
  return client.take({ do: 'attach', who: 'first' }).errno;
}

/** The two mechanisms of a cell. */
type Pair = Readonly<Record<CellTurn['who'], Mechanism>>;

function play(scene: MatrixScene, pair: Pair, off: readonly CellTurn['who'][]): Play {
  const turns: readonly CellTurn[] = [
    { do: 'attach', who: 'first' },
    { do: 'attach', who: 'second' },
    ...off.map((who) => ({ do: 'detach', who }) as const),
  ];
  const clients = new Clients(scene, pair, CONTRACT_LAWS);
  const played = clients.takeAll(turns);
  const { actions, outcomes } = clients.player;
  const judged = judge(scene, actions);
  return {
    actions,
    turns: played,
    loss: clients.loss,
    died: outcomes.at(-1)?.died,
    known: [...judged.shown],
    newBreach: judged.newBreach,
  };
}

/** All laws, up to the first breach that corrupts the state: later ones may be its consequence. */
function judge({ profile, fn, program, known }: MatrixScene, actions: readonly Action[]): SequencePlayer {
  const player = new SequencePlayer({ profile, functions: [fn] }, { laws: ATTACH_LAWS, program, known });
  for (const action of actions) if (!player.isOver) player.play(action);
  return player;
}

/** The clients of a cell in their own kernel. */
class Clients {
  readonly player: SequencePlayer;
  /** The first breach, known or not. */
  loss: AttachBreach | undefined;
  private readonly attached = new Set<CellTurn['who']>();

  constructor(
    private readonly scene: MatrixScene,
    private readonly pair: Pair,
    laws: readonly AttachLaw[],
  ) {
    const { profile, fn, program, known } = scene;
    this.player = new SequencePlayer({ profile, functions: [fn] }, { laws, program, known });
  }

  /** One turn after the other; a refused client has nothing to detach. */
  takeAll(turns: readonly CellTurn[]): PlayedTurn[] {
    const played: PlayedTurn[] = [];
    for (const turn of turns)
      if (!this.player.died && (turn.do === 'attach' || this.attached.has(turn.who)))
        played.push(this.take(turn));
    return played;
  }

  /** A client's actions, until it is refused, and a call of the function after each. */
  take(turn: CellTurn): PlayedTurn {
    const { fn, profile, call } = this.scene;
    const mechanism = this.pair[turn.who];
    const locals = { fn: fn.name, profile, n: turn.who === 'first' ? 1 : 2 };
    const start = this.player.actions.length;
    let errno: Errno | 0 = 0;
    for (const action of turn.do === 'attach' ? mechanism.attach(locals) : [mechanism.detach(locals)])
      if (errno === 0) errno = this.do(action)?.errno ?? 0;
    if (turn.do === 'attach') {
      if (errno === 0) this.attached.add(turn.who);
      for (const action of mechanism.behind?.(locals) ?? []) this.do(action);
    }
    const end = this.player.actions.length;
    const seen = this.do(call)?.call;
    return { ...turn, ...this.slice(start, end), errno, call: seen };
  }

  /** Nothing runs after a crash of the kernel. */
  private do(action: Action): Outcome | undefined {
    const { player } = this;
    if (player.died) return undefined;
    player.play(action);
    this.loss ??= player.breach;
    return player.outcomes.at(-1);
  }

  private slice(start: number, end: number): Pick<PlayedTurn, 'actions' | 'outcomes'> {
    const { actions, outcomes } = this.player;
    return { actions: actions.slice(start, end), outcomes: outcomes.slice(start, end) };
  }
}

/** The worst outcome: a crash, an incomplete call, a refusal. */
function verdictOf(plays: readonly Play[]): CellVerdict {
  for (const { died } of plays) if (died !== undefined) return { is: 'dies', crash: died };
  for (const { loss } of plays) if (loss !== undefined) return { is: 'loss', breach: loss };
  for (const { turns } of plays)
    for (const { errno, do: what, who } of turns)
      if (errno !== 0) return { is: 'refused', errno, turn: { do: what, who } };
  return { is: 'ok' };
}

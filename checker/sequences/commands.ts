import fc from 'fast-check';
import type { Action } from '../../model/client/all.ts';
import type { Promises } from '../../model/contract/promises.ts';
import { nothingPromised } from '../../model/contract/promises.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { isLikely, isModelled, rashness } from './likely.ts';
import type { SequencePlayer } from './run-sequence.ts';

/** The input of commands, and fast-check's model: the contract, which follows from the answers of the real kernel. */
export interface PromisesSoFar {
  promises: Promises;
  /** Actions so far. */
  actions: number;
  /** Nothing more is run: the kernel crashed, or a law is broken. */
  isOver: boolean;
}

export function contractFor(profile: string, functions: readonly TracedFunction[]): PromisesSoFar {
  return { promises: nothingPromised(profile, functions), actions: 0, isOver: false };
}

/** The first actions of a sequence, which are not drawn. */
export function begin(
  contract: PromisesSoFar,
  player: SequencePlayer,
  first: readonly Action[],
): PromisesSoFar {
  for (const action of first) if (!contract.isOver) new ActionCommand(action).run(contract, player);
  return contract;
}

/** Actions of a sequence at most. */
const ACTIONS_MOST = 40;
/** Commands that are drawn for it: those that would not be sensible are skipped. */
export const COMMANDS_MOST = 160;

const SENSIBLE = 9;

/** An action as fast-check's command: a thin adapter, here and nowhere else. The real thing is a kernel with its machine. */
export class ActionCommand implements SequenceCommand {
  constructor(
    readonly action: Action,
    /** 0 … 9: below its rashness, the action is run even when it is not sensible. */
    private readonly mood = SENSIBLE,
  ) {}

  check({ promises, actions, isOver }: Readonly<PromisesSoFar>): boolean {
    if (isOver || actions + 2 > ACTIONS_MOST || !isModelled(promises, this.action)) return false;
    return this.mood < rashness(this.action) || isLikely(promises, this.action);
  }

  run(contract: PromisesSoFar, player: SequencePlayer): void {
    player.play(this.action);
    contract.promises = player.promises;
    contract.actions++;
    contract.isOver = player.isOver;
    if (player.newBreach !== undefined) throw new Error('a law is broken');
  }

  toString(): string {
    return JSON.stringify(this.action);
  }
}

/** An action with an allocation or a poke that fails: the n-th that it reaches. */
class FailingCommand extends ActionCommand {
  constructor(
    action: Action,
    private readonly n: number,
  ) {
    super(action);
  }

  override run(contract: PromisesSoFar, player: SequencePlayer): void {
    failOnTheWay(this.action, this.n, contract, player);
    super.run(contract, player);
  }

  override toString(): string {
    return `failing ${super.toString()}`;
  }
}

/** The n-th allocation or poke on the way of an action fails when it is run next; where there is none, nothing does. */
export function failOnTheWay(
  action: Action,
  n: number,
  contract: PromisesSoFar,
  player: SequencePlayer,
): void {
  const faults = player.faultsOf(action);
  const fault = faults[n % faults.length];
  if (fault !== undefined) new ActionCommand({ do: 'fail', fault }).run(contract, player);
}

/** A command of a sequence, and several in their order. */
export type SequenceCommand = fc.Command<PromisesSoFar, SequencePlayer>;
export type SequenceCommands = Iterable<SequenceCommand>;

/**
 * Sequences of commands of such actions. Some are tried whether they are sensible or not, and one in ten fails on the
 * way.
 */
export function commandsOf(actions: fc.Arbitrary<Action>): fc.Arbitrary<SequenceCommands> {
  return fc.commands([commandFor(actions)], { maxCommands: COMMANDS_MOST, size: 'max' });
}

/** Which of the failures on the way of an action, counted round. */
export const FAILURES: fc.Arbitrary<number> = fc.nat(11);

/** One of them. */
export function commandFor(actions: fc.Arbitrary<Action>): fc.Arbitrary<ActionCommand> {
  return fc
    .tuple(actions, fc.nat(9), FAILURES)
    .map(([action, n, place]) =>
      n === SENSIBLE ? new FailingCommand(action, place) : new ActionCommand(action, n),
    );
}

import fc from 'fast-check';
import type { Action } from '../../model/action.ts';
import { isLikely, rashness } from './likely.ts';
import type { Player } from './run-sequence.ts';

/** What a command may look at before it runs. */
export interface Played {
  readonly player: Player;
}

/** Actions of a sequence at the most. */
const ACTIONS_MOST = 40;
/** Commands that are drawn for it: what would not be sensible is passed over. */
const COMMANDS_MOST = 160;

const SENSIBLE = 9;

/** An action as fast-check's command: a thin adapter, here and nowhere else. */
class ActionCommand implements fc.Command<Played, Player> {
  constructor(
    readonly action: Action,
    /** 0 … 9: below its rashness, the action is done even when it is not sensible. */
    private readonly mood: number,
  ) {}

  check({ player }: Readonly<Played>): boolean {
    if (player.isOver || player.actions.length + 2 > ACTIONS_MOST) return false;
    return this.mood < rashness(this.action) || isLikely(player.promises, this.action);
  }

  run(_: Played, player: Player): void {
    player.play(this.action);
    if (player.newBreach !== undefined) throw new Error('a law is broken');
  }

  toString(): string {
    return JSON.stringify(this.action);
  }
}

/** An action during which memory runs out, or a poke fails: at the n-th place of those that it comes by. */
class FailingCommand extends ActionCommand {
  constructor(
    action: Action,
    private readonly n: number,
  ) {
    super(action, SENSIBLE);
  }

  override run(played: Played, player: Player): void {
    const faults = player.faultsOf(this.action);
    const fault = faults[this.n % faults.length];
    if (fault !== undefined) new ActionCommand({ do: 'fail', fault }, SENSIBLE).run(played, player);
    super.run(played, player);
  }

  override toString(): string {
    return `failing ${super.toString()}`;
  }
}

/**
 * Sequences of commands that do such actions. Some are tried whether they are sensible or not, and one in
 * ten fails on the way.
 */
export function commandsOf(
  actions: fc.Arbitrary<Action>,
): fc.Arbitrary<Iterable<fc.Command<Played, Player>>> {
  const command = fc
    .tuple(actions, fc.nat(9), fc.nat(11))
    .map(([action, n, place]) =>
      n === SENSIBLE ? new FailingCommand(action, place) : new ActionCommand(action, n),
    );
  return fc.commands([command], { maxCommands: COMMANDS_MOST, size: 'max' });
}

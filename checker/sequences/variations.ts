import fc from 'fast-check';
import type { Action } from '../../model/client/all.ts';
import { item } from '../../model/core/present.ts';
import { isMisuse } from '../../model/misuse.ts';
import { callOf, hitOf } from '../../properties/observed/sample-call.ts';
import type { AttachCase } from './attach-case.ts';
import type { PromisesSoFar, SequenceCommand, SequenceCommands } from './commands.ts';
import { ActionCommand, commandFor, contractFor, FAILURES, failOnTheWay } from './commands.ts';
import { weighedAs } from './draw/weighed.ts';
import { actionsFor } from './draw.ts';
import { isModelled } from './likely.ts';
import { SequencePlayer } from './run-sequence.ts';

/*
 * Sequences near another one: up to three times an action is left out, fails on the way, changes places with the next one,
 * or has a drawn one or another of the sequence before it. At the end each function is called, and each tracepoint is hit,
 * so that what a change leaves is seen.
 */

/** The commands at the place of each action, and after the last one. */
type Places = readonly (readonly SequenceCommand[])[];
type Change = (places: Places) => Places;

const CHANGES_MOST = 3;
/** Actions that are drawn for a place: the first one that may be run there is. */
const CANDIDATES = 8;

/** Sequences near one, in the same kernel with the same functions. */
export function variationsOf(c: AttachCase): fc.Arbitrary<SequenceCommands> {
  const own = c.actions.map((action) => [new OwnCommand(action)]);
  return fc
    .array(changesOf(c), { minLength: 1, maxLength: CHANGES_MOST })
    .map((changes) => changes.reduce<Places>((places, change) => change(places), [...own, lastOf(c)]).flat());
}

/** One of them, as it was played: each seed draws one. */
export function variationOf(c: AttachCase, seed: number): AttachCase {
  const [commands = []] = fc.sample(variationsOf(c), { seed, numRuns: 1 });
  return { ...c, actions: playVariation(c, commands).actions };
}

/** The commands of one of them, played in the kernel of the other. */
export function playVariation(
  { actions: _, ...start }: AttachCase,
  commands: SequenceCommands,
): SequencePlayer {
  const player = new SequencePlayer(start, { laws: [] });
  fc.modelRun(() => ({ model: contractFor(start.profile, start.functions), real: player }), commands);
  return player;
}

function lastOf({ functions, tracepoints = [] }: AttachCase): SequenceCommand[] {
  const calls = functions.filter(({ bpf }) => !bpf).map((fn) => callOf(fn, 1));
  const hits = tracepoints.map((tracepoint) => hitOf(tracepoint, 1));
  return [...calls, ...hits].map((action) => new OwnCommand(action));
}

function changesOf({ profile, actions, ...subjects }: AttachCase): fc.Arbitrary<Change> {
  const drawn = fc.array(commandFor(actionsFor(profile, subjects)), {
    minLength: CANDIDATES,
    maxLength: CANDIDATES,
  });
  const place = fc.nat(actions.length - 1);
  const later = fc.nat(actions.length);
  return fc.oneof(
    weighedAs(4, fc.tuple(later, drawn), ([i, candidates]) => before(i, new FirstOf(candidates))),
    weighedAs(2, fc.tuple(place, FAILURES), ([i, n]) => at(i, () => [new OwnCommand(item(actions, i), n)])),
    weighedAs(1, fc.tuple(later, place), ([i, from]) => before(i, new OwnCommand(item(actions, from)))),
    weighedAs(1, place, (i) => at(i, () => [])),
    ...(actions.length > 1 ? [weighedAs(1, fc.nat(actions.length - 2), exchanged)] : []),
  );
}

function at(i: number, change: (own: readonly SequenceCommand[]) => readonly SequenceCommand[]): Change {
  return (places) => places.with(i, change(item(places, i)));
}

function before(i: number, command: SequenceCommand): Change {
  return at(i, (own) => [command, ...own]);
}

/** The commands at a place, and at the next one. */
function exchanged(i: number): Change {
  return (places) => places.with(i, item(places, i + 1)).with(i + 1, item(places, i));
}

/** An action of the sequence: sensible or not, it is run, unless no client does that. */
class OwnCommand implements SequenceCommand {
  private readonly command: ActionCommand;

  constructor(
    private readonly action: Action,
    /** Which of the failures on its way comes, if one does. */
    private readonly failure?: number,
  ) {
    this.command = new ActionCommand(action);
  }

  check({ promises, isOver }: Readonly<PromisesSoFar>): boolean {
    return !isOver && isModelled(promises, this.action);
  }

  run(contract: PromisesSoFar, player: SequencePlayer): void {
    const { action, failure } = this;
    if (isMisuse(player.k, action)) return;
    if (failure !== undefined) failOnTheWay(action, failure, contract, player);
    this.command.run(contract, player);
  }

  toString(): string {
    return this.command.toString();
  }
}

/** The first of some commands that may be run, however long the sequence is. */
class FirstOf implements SequenceCommand {
  constructor(private readonly commands: readonly ActionCommand[]) {}

  private first(contract: Readonly<PromisesSoFar>): ActionCommand | undefined {
    return this.commands.find((command) => command.check({ ...contract, actions: 0 }));
  }

  check(contract: Readonly<PromisesSoFar>): boolean {
    return this.first(contract) !== undefined;
  }

  run(contract: PromisesSoFar, player: SequencePlayer): void {
    this.first(contract)?.run(contract, player);
  }

  toString(): string {
    return `the first of ${this.commands.join(', ')}`;
  }
}

import fc from 'fast-check';
import type { Action } from '../../../model/client/all.ts';
import { item } from '../../../model/core/present.ts';
import { KERNEL_PROGRAM } from '../../../model/step.ts';
import type { CallerScript, Interruption, Scenario } from '../../../properties/observed/scenario.ts';
import { INTERRUPTIONS } from '../../../properties/observed/scenario.ts';
import { searchedCall } from '../../sequences/calls/all.ts';
import { FAILURES } from '../../sequences/commands.ts';
import { weighedAs } from '../../sequences/draw/weighed.ts';
import { faultsOn } from '../../sequences/faults-on.ts';
import type { DealtWish } from './deal.ts';
import { dealt, OPERATIONS_MOST, objectsIn } from './deal.ts';
import type { DrawnCallers } from './draw-callers.ts';
import { CALLERS_MOST, callersFor } from './draw-callers.ts';
import {
  CLIENTS_MOST,
  CPUS_MOST,
  isOperation,
  operationsFor,
  wishFor,
  withItsProgram,
} from './draw-scenario.ts';
import { possibleSetup, RunSetup } from './run-setup.ts';

/*
 * Scenarios near another one: up to three times there is an operation more or less in the setup or of a client, a client makes
 * one of the setup, one fails on the way, there is a call or an interrupt more, a call less, or another number of CPUs.
 */

type Change = (scenario: Scenario) => Scenario;

const CHANGES_MOST = 3;
/** Operations that are drawn for a place: the first one that may be run there is. */
const CANDIDATES = 8;
/** A client makes one of the last operations of a setup: earlier ones are what the others need. */
const LAST_OF_SETUP = 3;
/** A place in a list, which is counted round. */
const PLACE = fc.nat(23);

/** Scenarios near one, in the same kernel with the same functions. Some cannot be set up. */
export function scenariosNear(base: Scenario): fc.Arbitrary<Scenario> {
  return fc
    .array(changesOf(base), { minLength: 1, maxLength: CHANGES_MOST })
    .map((changes) => changes.reduce((scenario, change) => change(scenario), base))
    .map((changed) => ({
      ...changed,
      setup: possibleSetup(changed),
      clients: changed.clients.map(withoutLastFault).filter(({ length }) => length > 0),
    }));
}

/** A failure is on the way of the operation after it. */
function withoutLastFault(script: readonly Action[]): readonly Action[] {
  return script.slice(0, script.findLastIndex(({ do: name }) => name !== 'fail') + 1);
}

function changesOf({ profile, functions, tracepoints = [] }: Scenario): fc.Arbitrary<Change> {
  const subjects = { functions, tracepoints };
  const operation = operationsFor(profile, subjects);
  const callers = callersFor(subjects);
  return fc.oneof(
    weighedAs(3, fc.tuple(PLACE, several(operation)), ([place, drawn]) => setupGains(place, drawn)),
    weighedAs(1, PLACE, setupLoses),
    weighedAs(1, fc.nat(LAST_OF_SETUP - 1), clientMakes),
    weighedAs(4, fc.tuple(PLACE, several(wishFor(operation))), ([nth, wishes]) => clientGains(nth, wishes)),
    weighedAs(1, PLACE, clientLoses),
    weighedAs(2, fc.tuple(PLACE, FAILURES), ([place, n]) => clientFails(place, n)),
    weighedAs(1, callers, callersGain),
    weighedAs(1, PLACE, callersLose),
    weighedAs(1, fc.tuple(PLACE, callers, KIND), ([place, drawn, kind]) =>
      callIsInterrupted(place, drawn, kind),
    ),
    weighedAs(1, PLACE, callStartsAnywhere),
    weighedAs(1, fc.integer({ min: 1, max: CPUS_MOST }), onCpus),
  );
}

const KIND = fc.constantFrom(...INTERRUPTIONS);

function several<T>(drawn: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(drawn, { minLength: CANDIDATES, maxLength: CANDIDATES });
}

/** The first drawn operation that is sensible and succeeds before another one, or after the last. */
function setupGains(place: number, drawn: readonly Action[]): Change {
  return (scenario) => {
    const { setup } = scenario;
    const gap = place % (setup.length + 1);
    const before = setup.slice(0, gap);
    for (const candidate of drawn) {
      const run = new RunSetup(scenario, before);
      const wished = withItsProgram(candidate);
      const made = wished.flatMap((action) => run.takes(action) ?? []);
      if (made.length === wished.length)
        return { ...scenario, setup: [...before, ...made, ...setup.slice(gap)] };
    }
    return scenario;
  };
}

function setupLoses(place: number): Change {
  return (scenario) => ({ ...scenario, setup: without(scenario.setup, place) });
}

/**
 * The last operation of the setup but `back` is not made before the others begin: the client that uses its object makes it
 * first, or one more client makes it.
 */
function clientMakes(back: number): Change {
  return (scenario) => {
    const { setup, clients } = scenario;
    const place = setup.length - 1 - back;
    const action = setup[place];
    if (action === undefined || !isOperation(action) || isFull(clients)) return scenario;
    const objects = searchedCall(action).objectsOf(action);
    const users = clients.flatMap((script, i) =>
      objectsIn(script).some((o) => objects.includes(o)) ? [i] : [],
    );
    const client = users[0] ?? clients.length;
    if (users.length > 1 || client >= CLIENTS_MOST) return scenario;
    const scripts = clients.toSpliced(client, 1, [action, ...(clients[client] ?? [])]);
    return { ...scenario, setup: without(setup, place), clients: scripts };
  };
}

function isFull(clients: Scenario['clients']): boolean {
  return clients.flat().length >= OPERATIONS_MOST;
}

/** A client makes one operation more after its own, or another client does. */
function clientGains(nth: number, wishes: readonly DealtWish[]): Change {
  return (scenario) => {
    const { setup, clients } = scenario;
    const count = Math.max(clients.length, Math.min(clients.length + 1, CLIENTS_MOST));
    const { promises } = new RunSetup(scenario, setup);
    const start = { setup, promises, given: clients, clients: count };
    const most = Math.min(clients.flat().length + 1, OPERATIONS_MOST);
    return {
      ...scenario,
      clients: dealt(
        { ...start, most },
        wishes.map((wish) => [wish, nth % count]),
      ),
    };
  };
}

/** One of the operations of all clients is left out, unless it is the only one. */
function clientLoses(place: number): Change {
  return ofOperation(place, (_, { clients }) => (clients.flat().length > 1 ? [] : undefined));
}

/** An allocation or a text poke on the way of one of them fails. */
function clientFails(place: number, n: number): Change {
  return ofOperation(place, (action, scenario) => {
    if (isFull(scenario.clients)) return undefined;
    const faults = faultsOn(new RunSetup(scenario, scenario.setup).k, action, KERNEL_PROGRAM);
    const fault = faults[n % faults.length];
    return fault && [{ do: 'fail', fault }, action];
  });
}

/** One of the operations of all clients is replaced. */
function ofOperation(
  place: number,
  change: (action: Action, scenario: Scenario) => readonly Action[] | undefined,
): Change {
  return (scenario) => {
    const { clients } = scenario;
    const places = clients.flatMap((script, client) => script.map((_, i) => ({ client, i })));
    if (places.length === 0) return scenario;
    const { client, i } = item(places, place % places.length);
    const script = item(clients, client);
    const changed = change(item(script, i), scenario);
    if (changed === undefined) return scenario;
    return { ...scenario, clients: clients.with(client, script.toSpliced(i, 1, ...changed)) };
  };
}

/** The callers of a scenario that are drawn for one with its operations. */
function callersOf(drawn: DrawnCallers, { setup, clients }: Scenario): CallerScript[] {
  return drawn([...setup, ...clients.flat()]);
}

function callersGain(drawn: DrawnCallers): Change {
  return (scenario) => {
    const callers = [...scenario.callers, ...callersOf(drawn, scenario).slice(0, 1)];
    return callers.length > CALLERS_MOST ? scenario : { ...scenario, callers };
  };
}

function callersLose(place: number): Change {
  return (scenario) => ({ ...scenario, callers: without(scenario.callers, place) });
}

/** The call of an idle task is not interrupted. */
function callIsInterrupted(place: number, drawn: DrawnCallers, kind: Interruption): Change {
  return ofCaller(place, (caller, scenario) => {
    const call = callersOf(drawn, scenario)[0]?.call;
    return call === undefined || caller.idle === true ? caller : { ...caller, [kind]: call };
  });
}

function callStartsAnywhere(place: number): Change {
  return ofCaller(place, ({ startsAt: _, ...caller }) => caller);
}

function ofCaller(place: number, change: (caller: CallerScript, scenario: Scenario) => CallerScript): Change {
  return (scenario) => {
    const { callers } = scenario;
    const i = place % callers.length;
    return {
      ...scenario,
      callers: callers.map((caller, j) => (j === i ? change(caller, scenario) : caller)),
    };
  };
}

function onCpus(cpus: number): Change {
  return (scenario) => ({ ...scenario, cpus });
}

function without<T>(list: readonly T[], place: number): readonly T[] {
  return list.filter((_, i) => i !== place % list.length);
}

import { madeBy, needsOf } from '../../checker/interleavings/needs.ts';
import { isOfHandlers } from '../../checker/interleavings/random/draw-callers.ts';
import { counted } from '../../counterexamples/text.ts';
import type { CallRequest } from '../../model/call/call-frame.ts';
import type { Action } from '../../model/client/all.ts';
import { callOf } from '../../model/client/all.ts';
import { InputError } from '../../model/core/input-error.ts';
import { item } from '../../model/core/present.ts';
import { subopsOf } from '../../model/ftrace/fgraph.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { calledFrom } from '../../model/trampoline/traced-function.ts';
import { toBigInt } from '../../model/x86/word.ts';
import type { CallerScript, Scenario } from '../../properties/observed/scenario.ts';
import { requestsOf } from '../../properties/observed/scenario.ts';

/*
 * The premises under which a breach is the kernel's: a misuse of functions or interfaces is refused, for it would
 * only show itself.
 */

/** Orders of the operations of several clients, at most: laws check each. */
const ORDERS_MOST = 5040;

/** Kernel states that the calls within a call can meet, at most. */
const WAYS_MOST = 20_000;

/** How often `rec` calls itself at most. */
const REC_MOST = 7;

/** Throws an InputError that names a misuse in a scenario, or a size that is too large to judge. */
export function requirePremises(scenario: Scenario): void {
  const { setup, clients, retries } = scenario;
  requireOrders(clients);
  requireOnce([...setup, ...clients.flat()]);
  requireOneRegistration(clients);
  requireOneUser(clients);
  requireNoCircle(scenario);
  requireIdle(scenario);
  scenario.callers.forEach((caller, i) => {
    requireCaller(scenario, caller, `task#${i + 1}`);
  });
  if (retries === true && clients.flat().some((action) => action.do === 'delete_module'))
    throw new InputError(
      'retries: delete_module answers EAGAIN as long as a client uses the module, which may be for ever',
    );
}

/** Whether none is misused in a scenario. */
export function meetsPremises(scenario: Scenario): boolean {
  try {
    requirePremises(scenario);
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** Why a kernel cannot do what a scenario says: `6.12 has no modify_ftrace_direct(ip)()`; undefined: it has all of its calls. */
export function absentCall({ profile, setup, clients }: Scenario): string | undefined {
  const absent = [...setup, ...clients.flat()].find(
    (action) => callOf(action).inKernel?.({ profile }) === false,
  );
  return absent && `${profile} has no ${absent.do}()`;
}

function requireOrders(clients: Scenario['clients']): void {
  let orders = 1;
  let done = 0;
  for (const script of clients)
    for (let nth = 1; nth <= script.length; nth++) orders = (orders * ++done) / nth;
  if (orders > ORDERS_MOST)
    throw new InputError(
      `the calls of its clients have ${Math.round(orders)} orders, and laws check at most ${ORDERS_MOST}: use fewer clients, or fewer calls`,
    );
}

/** Each new link and program has a new name: it does not take the place of the old one. */
function requireOnce(actions: readonly Action[]): void {
  const made = actions.flatMap((action) => madeBy(action) ?? []);
  const again = made.find((object, i) => made.indexOf(object) < i);
  if (again === undefined) return;
  const name = again.startsWith('prog ') ? again.replace(' ', '#') : again.slice('link '.length);
  throw new InputError(`${name} is created twice: give the second one its own name`);
}

/**
 * Two clients may not register one object at once where the kernel checks its registration before it takes the lock
 * (`warn_kprobe_rereg()`), or writes to it before it refuses (`register_ftrace_graph()`).
 */
function requireOneRegistration(clients: Scenario['clients']): void {
  const made = clients.flatMap((script, i) =>
    script.flatMap((action) => {
      const object = registeredWithoutLook(action);
      return object === undefined ? [] : [{ object, client: i + 1 }];
    }),
  );
  for (const { object, client } of made) {
    const other = made.find((later) => later.object === object && later.client > client);
    if (other !== undefined)
      throw new InputError(
        `client#${client} and client#${other.client} register ${object} concurrently: the kernel does not serialise this, the owner of the object must`,
        object,
      );
  }
}

/** A client frees its own objects only: when another one is done with them is known to that one. */
function requireOneUser(clients: Scenario['clients']): void {
  clients.forEach((script, i) => {
    for (const action of script) {
      if (action.do !== 'kfree') continue;
      const { object } = action;
      const other = clients.findIndex((others, j) => j !== i && others.some((own) => uses(own, object)));
      if (other >= 0)
        throw new InputError(
          `client#${i + 1} frees ${object}, which client#${other + 1} uses: its owner frees it after its last use`,
          object,
        );
    }
  });
}

/** It, or the ops that is embedded in it. */
function uses(action: Action, object: string): boolean {
  return Object.values(action).some((value) => value === object || value === subopsOf(object));
}

function registeredWithoutLook(action: Action): string | undefined {
  if (action.do === 'register_kprobe') return action.kprobe;
  if (action.do === 'register_kretprobe') return action.kretprobe;
  return action.do === 'register_ftrace_graph' ? action.gops : undefined;
}

/** A client that waits for another client's link or program gets it eventually. */
function requireNoCircle(scenario: Scenario): void {
  const needs = needsOf(scenario);
  if (needs === undefined) return;
  const done = needs.map(() => 0);
  for (let goes = true; goes; ) {
    goes = false;
    needs.forEach((script, client) => {
      const next = script[done[client] ?? 0];
      if (next?.every(([maker, nth]) => (done[maker] ?? 0) > nth) !== true) return;
      done[client] = (done[client] ?? 0) + 1;
      goes = true;
    });
  }
  const stuck = needs.flatMap((script, i) => ((done[i] ?? 0) < script.length ? [`client#${i + 1}`] : []));
  if (stuck.length > 0)
    throw new InputError(`${stuck.join(' and ')} wait for links or programs of each other for ever`);
}

/** Ops with only ftrace handlers wait for an idle task, in which RCU is not watching; other clients do not. */
function requireIdle({ setup, clients, callers }: Scenario): void {
  const idle = callers.findIndex((caller) => caller.idle === true);
  const other = [...setup, ...clients.flat()].find((action) => !isOfHandlers(action) && action.do !== 'call');
  if (idle < 0 || other === undefined) return;
  throw new InputError(
    `task#${idle + 1} is idle, where RCU is not watching: only ops with handlers wait for it, and the scenario has ${other.do}`,
  );
}

/** The caller of a function holds its module; an interrupt returns; calls within a call are few enough to judge. */
function requireCaller(scenario: Scenario, script: CallerScript, task: string): void {
  const named = (name: string) => scenario.functions.find((fn) => fn.name === name);
  const requests = requestsOf(script);
  for (const fn of requests.map((request) => named(request.fn)))
    if (fn !== undefined && fn.module !== '') requireLoaded(scenario, fn, task);
  for (const made of requests) requireWays(scenario, made, task);
  const [, ...onTop] = requests;
  const faulting = onTop.find(({ fn }) => scenario.tracepoints?.find(({ name }) => name === fn)?.faultable);
  if (faulting !== undefined)
    throw new InputError(
      `${faulting.fn} is faultable, and is hit in an interrupt of ${task}: no interrupt may fault`,
    );
  const ending = onTop.find((request) => named(request.fn)?.noreturn === true);
  if (ending !== undefined)
    throw new InputError(
      `${ending.fn} does not return, and is called in an interrupt of ${task}: the kernel panics`,
    );
}

/**
 * Each call within another meets a state of its own, among those that clients produce: laws check all combinations.
 */
function requireWays({ functions, clients }: Scenario, call: CallRequest, task: string): void {
  const calls = callsIn(functions, call);
  const states = clients.reduce((all, script) => all * (script.length + 1), 1);
  if (calls > 1 && states ** calls > WAYS_MOST)
    throw new InputError(
      `${task} calls ${call.fn}, and ${counted(calls, 'call')} in all, each in one of ${states} states that clients produce, have more than ${WAYS_MOST} combinations: use fewer clients, or fewer calls`,
    );
}

/** The number of calls that one makes at most, itself included. */
function callsIn(functions: readonly TracedFunction[], { fn, registers }: CallRequest): number {
  const called = functions.find(({ name }) => name === fn);
  if (called?.nesting !== 'rec') return calledFrom(functions, fn).length;
  const { size } = item(called.signature.args, 0);
  const deep = Number(BigInt.asUintN(8 * size, toBigInt(item(registers, 0))));
  return deep <= REC_MOST ? 1 + deep : 1;
}

function requireLoaded({ setup, clients }: Scenario, { name, module }: TracedFunction, task: string): void {
  const isOf = (action: Action) =>
    (action.do === 'init_module' || action.do === 'delete_module') && action.module === module;
  const mover = clients.findIndex((script) => script.some(isOf));
  if (mover >= 0)
    throw new InputError(
      `${task} calls ${name} of ${module}, which client#${mover + 1} loads or unloads: a caller of a function holds its module`,
    );
  if (setup.findLast(isOf)?.do === 'delete_module')
    throw new InputError(`${task} calls ${name}, and ${module} is not loaded`);
}

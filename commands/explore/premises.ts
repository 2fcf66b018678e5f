import { madeBy, needsOf } from '../../checker/interleavings/needs.ts';
import { isOfHandlers } from '../../checker/interleavings/random/draw-callers.ts';
import { counted } from '../../counterexamples/text.ts';
import type { CallRequest } from '../../model/call/call-frame.ts';
import type { Action } from '../../model/client/all.ts';
import { callOf } from '../../model/client/all.ts';
import { InputError } from '../../model/core/input-error.ts';
import { item } from '../../model/core/present.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { calledFrom } from '../../model/trampoline/traced-function.ts';
import { toBigInt } from '../../model/x86/word.ts';
import type { CallerScript, Scenario } from '../../properties/observed/scenario.ts';

/*
 * What has to be so that a breach is the kernel's: what nobody does who calls functions and uses interfaces as they are
 * meant is refused, for it would show nothing but that.
 */

/** Orders in which operations of several clients may be done, at most: laws look at each. */
const ORDERS_MOST = 5040;

/** Ways in which the calls of a call can find what clients do, at most. */
const WAYS_MOST = 20_000;

/** How often `rec` calls itself at most. */
const REC_MOST = 7;

/** Throws an InputError that says what in a scenario nobody does, or is too much to be judged. */
export function requirePremises(scenario: Scenario): void {
  const { setup, clients, retries } = scenario;
  requireOrders(clients);
  requireOnce([...setup, ...clients.flat()]);
  requireOneRegistration(clients);
  requireNoCircle(scenario);
  requireIdle(scenario);
  scenario.callers.forEach((caller, i) => {
    requireCaller(scenario, caller, `task#${i + 1}`);
  });
  if (retries === true && clients.flat().some((action) => action.do === 'delete_module'))
    throw new InputError(
      'retries: delete_module answers EAGAIN for as long as somebody uses the module, which may be for ever',
    );
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
      `the calls of its clients can come in ${Math.round(orders)} orders, and laws look at ${ORDERS_MOST} at most: take fewer clients, or fewer calls`,
    );
}

/** A link and a program have names of their own: a new one is not where the old one was. */
function requireOnce(actions: readonly Action[]): void {
  const made = actions.flatMap((action) => madeBy(action) ?? []);
  const again = made.find((object, i) => made.indexOf(object) < i);
  if (again === undefined) return;
  const name = again.startsWith('prog ') ? again.replace(' ', '#') : again.slice('link '.length);
  throw new InputError(`${name} is made twice: a new one has a name of its own`);
}

/**
 * Two clients do not register one object at once where the kernel looks whether it is registered before it takes the lock
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
        `client#${client} and client#${other.client} register ${object}: the kernel does not keep two from that at once, its owner does`,
        object,
      );
  }
}

function registeredWithoutLook(action: Action): string | undefined {
  if (action.do === 'register_kprobe') return action.kprobe;
  if (action.do === 'register_kretprobe') return action.kretprobe;
  return action.do === 'register_ftrace_graph' ? action.gops : undefined;
}

/** Who waits for a link or a program that another client makes gets it at some time. */
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

/** The idle task, for which RCU is not there, calls functions that have nothing but handlers of ftrace: they alone wait for it. */
function requireIdle({ setup, clients, callers }: Scenario): void {
  const idle = callers.findIndex((caller) => caller.idle === true);
  const other = [...setup, ...clients.flat()].find((action) => !isOfHandlers(action) && action.do !== 'call');
  if (idle < 0 || other === undefined) return;
  throw new InputError(
    `task#${idle + 1} is idle, where RCU is not watching: that is waited for by ops with handlers alone, and there is ${other.do}`,
  );
}

/** Who calls a function holds its module; an interrupt comes back; calls within a call are few enough to be judged. */
function requireCaller(scenario: Scenario, { call, interrupt }: CallerScript, task: string): void {
  const named = (name: string) => scenario.functions.find((fn) => fn.name === name);
  for (const fn of [named(call.fn), interrupt && named(interrupt.fn)])
    if (fn !== undefined && fn.module !== '') requireLoaded(scenario, fn, task);
  for (const made of [call, ...(interrupt === undefined ? [] : [interrupt])])
    requireWays(scenario, made, task);
  if (interrupt !== undefined && named(interrupt.fn)?.noreturn === true)
    throw new InputError(
      `${interrupt.fn} does not return, and is called in an interrupt of ${task}: the kernel panics`,
    );
}

/** Each call within another finds a state of its own, of those that clients come through: laws look at all ways. */
function requireWays({ functions, clients }: Scenario, call: CallRequest, task: string): void {
  const calls = callsIn(functions, call);
  const states = clients.reduce((all, script) => all * (script.length + 1), 1);
  if (calls > 1 && states ** calls > WAYS_MOST)
    throw new InputError(
      `${task} calls ${call.fn}, and ${counted(calls, 'call')} in all that each find one of ${states} states of what clients do come to more than ${WAYS_MOST} ways: take fewer clients, or fewer calls`,
    );
}

/** How many calls one makes at most, with itself. */
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
      `${task} calls ${name} of ${module}, which client#${mover + 1} loads or unloads: who calls a function holds its module`,
    );
  if (setup.findLast(isOf)?.do === 'delete_module')
    throw new InputError(`${task} calls ${name}, and ${module} is not loaded`);
}

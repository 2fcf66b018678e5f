import fc from 'fast-check';
import type { Action } from '../../../model/client/all.ts';
import { kprobeLoad } from '../../../model/client/bpf-prog-load.ts';
import type { Promises } from '../../../model/contract/promises.ts';
import type { FunctionName } from '../../../model/core/ids.ts';
import { profileNamed } from '../../../model/core/profile.ts';
import { declareTracepoint } from '../../../model/raw-tracepoint/tracepoints.ts';
import { multiKinds } from '../../../model/trampoline/designs/chosen.ts';
import type { TracingKind } from '../../../model/trampoline/program.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import {
  moduleFunction,
  noreturnFunction,
  targetProgram,
  tracedFunction,
} from '../../../model/trampoline/traced-function.ts';
import type { Scenario } from '../../../properties/observed/scenario.ts';
import { searchedCall } from '../../sequences/calls/all.ts';
import { devices } from '../../sequences/draw/devices.ts';
import { programOfEvent } from '../../sequences/draw/kprobe-events.ts';
import type { Subjects } from '../../sequences/draw.ts';
import { actionsFor, onlyHit } from '../../sequences/draw.ts';
import { type DealtWish, dealt } from './deal.ts';
import { callersFor, isOfHandlers } from './draw-callers.ts';
import { RunSetup } from './run-setup.ts';

/**
 * Actions that are drawn for the setup and for all clients; most are not sensible in their state, and are skipped.
 */
const SETUP_DRAWN = 40;
const OPERATIONS_DRAWN = 60;
export const CLIENTS_MOST = 3;
export const CPUS_MOST = 3;

const F1 = tracedFunction('f1', 1, 'u64 -> u64');
const F7 = tracedFunction('f7', 2, 'u64 x7 -> u64');

const TP1 = declareTracepoint('tp1', 'ptr, u32');

/**
 * What a scenario is on. Functions are numbered in order: those of vmlinux, of a module, some that do not return, BPF
 * programs. Now and then there are devices instead, or a tracepoint.
 */
const SUBJECTS: fc.Arbitrary<Subjects> = fc.oneof(
  { weight: 2, arbitrary: on(F1) },
  { weight: 1, arbitrary: on(...devices(2)) },
  { weight: 3, arbitrary: on(F1, F7) },
  { weight: 1, arbitrary: on(moduleFunction('f1', 1, 'u64 -> u64', 'm1'), F7) },
  { weight: 1, arbitrary: on(noreturnFunction(F1), F7) },
  { weight: 1, arbitrary: on(F1, targetProgram('p1', 2, 'u64 -> u64')) },
  { weight: 1, arbitrary: fc.constant(onlyHit([TP1])) },
);

function on(...functions: readonly TracedFunction[]): fc.Arbitrary<Subjects> {
  return fc.constant({ functions });
}

/** One in this many loaded programs is made sleepable, besides those that are drawn so. */
const SLEEPS_ONE_IN = 3;

/** One in this many scenarios has only ftrace handlers. */
const HANDLERS_ONLY_ONE_IN = 5;

/** One in this many scenarios of a kernel with multi links has them for all tracing programs. */
const MULTI_ONE_IN = 2;

/**
 * Scenarios of a kernel: the setup, the clients' operations, the callers, the number of CPUs. The same seed draws the
 * same.
 */
export function drawnScenarios(profile: string, seed: number, count: number): Scenario[] {
  return fc.sample(scenariosFor(profile), { seed, numRuns: count });
}

/** The choices of drawnScenarios(). Each scenario has a client. */
export function scenariosFor(profile: string): fc.Arbitrary<Scenario> {
  return SUBJECTS.chain((subjects) => scenariosOn(profile, subjects)).filter(
    ({ clients }) => clients.length > 0,
  );
}

function scenariosOn(profile: string, subjects: Subjects): fc.Arbitrary<Scenario> {
  const kinds = multiKinds(profileNamed(profile));
  const targets = targetsOfMulti(subjects);
  const action = operationsFor(profile, subjects);
  return fc
    .record({
      before: fc.array(action, { maxLength: SETUP_DRAWN, size: 'max' }),
      during: wishesFor(action),
      callers: callersFor(subjects),
      cpus: fc.integer({ min: 1, max: CPUS_MOST }),
      retries: fc.nat(7).map((n) => n === 0),
      handlersOnly: fc.nat(HANDLERS_ONLY_ONE_IN - 1).map((n) => n === 0),
      multi: fc.nat(MULTI_ONE_IN - 1).map((n) => n === 0 && kinds.length > 0),
    })
    .map(({ before, during, callers, cpus, retries, handlersOnly, multi }) => {
      const isDrawn = (action: Action) => !handlersOnly || isOfHandlers(action);
      const asDrawn = (action: Action) => (multi ? ofMultiLinks(action, kinds, targets) : action);
      const actionsOf = (drawn: Action) => [drawn].filter(isDrawn).map(asDrawn).flatMap(withItsProgram);
      const [setup, promises] = settledSetup(profile, subjects, before.flatMap(actionsOf));
      const wished = during.flatMap(([wish, client]): [DealtWish, number][] =>
        wish.wants === 'action'
          ? actionsOf(wish.action).map((action) => [{ ...wish, action }, client])
          : [[wish, client]],
      );
      const clients = dealt({ setup, promises, clients: CLIENTS_MOST }, wished);
      return {
        profile,
        ...subjects,
        setup,
        clients,
        callers: callers([...setup, ...clients.flat()]),
        cpus,
        ...(retries && clients.flat().every(mayTryAgain) ? { retries } : {}),
      };
    });
}

/** Functions of the kernel itself. */
function targetsOfMulti({ functions }: Subjects): string[] {
  return functions.filter(({ bpf, module }) => !bpf && module === '').map(({ name }) => name);
}

function wishesFor(action: fc.Arbitrary<Action>): fc.Arbitrary<[DealtWish, number][]> {
  return fc.array(fc.tuple(wishFor(action), fc.nat(CLIENTS_MOST - 1)), {
    minLength: OPERATIONS_DRAWN / 2,
    maxLength: OPERATIONS_DRAWN,
    size: 'max',
  });
}

/** Operations of clients: of loaded programs, more are sleepable than in sequences. */
export function operationsFor(profile: string, subjects: Subjects): fc.Arbitrary<Action> {
  return fc
    .tuple(actionsFor(profile, subjects).filter(isOperation), fc.nat(SLEEPS_ONE_IN - 1))
    .map(([drawn, n]) => (n === 0 ? sleepier(drawn) : drawn));
}

export function wishFor(action: fc.Arbitrary<Action>): fc.Arbitrary<DealtWish> {
  return fc.oneof(
    { weight: 6, arbitrary: action.map((action) => ({ wants: 'action' as const, action: action })) },
    { weight: 3, arbitrary: fc.nat(9).map((which) => ({ wants: 'take back' as const, which })) },
    { weight: 4, arbitrary: fc.constant({ wants: 'give back' as const }) },
  );
}

/** Calls are made by callers; clients do not inject failures or pass time. */
export function isOperation({ do: name }: Action): boolean {
  return name !== 'call' && name !== 'fail' && name !== 'settle' && name !== 'kernel.ftrace_enabled';
}

/** The perf event of a kprobe shows nothing without a program: it gets one of its own. */
export function withItsProgram(action: Action): Action[] {
  if (action.do !== 'perf_event_open(kprobe)') return [action];
  const prog = programOfEvent(action.event);
  return [kprobeLoad(prog), action, { do: 'PERF_EVENT_IOC_SET_BPF', event: action.event, prog }];
}

/** A module in use is refused with EAGAIN as well, by its old name EWOULDBLOCK: it may be in use for ever. */
function mayTryAgain({ do: name }: Action): boolean {
  return name !== 'delete_module';
}

function sleepier(action: Action): Action {
  if (action.do !== 'BPF_PROG_LOAD' || action.probe !== '' || action.program.kind === 'freplace')
    return action;
  return { ...action, program: { ...action.program, sleepable: true } };
}

/** Those of the actions that are sensible in their state, and succeed. */
function settledSetup(
  profile: string,
  subjects: Subjects,
  drawn: readonly Action[],
): [readonly Action[], Promises] {
  const run = new RunSetup({ profile, ...subjects });
  const setup = drawn.flatMap((action) => run.takes(action) ?? []);
  return [setup, run.promises];
}

/** An action with a multi link in place of a single one, if it has one. */
function ofMultiLinks(
  action: Action,
  kinds: readonly TracingKind[],
  targets: readonly FunctionName[],
): Action {
  return searchedCall(action).ofMultiLinks?.(action, kinds, targets) ?? action;
}

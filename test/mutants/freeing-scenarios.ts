import { withSleepers } from '../../checker/interleavings/family.ts';
import { linkMulti, loadMulti } from '../../checker/interleavings/family-multi.ts';
import { link, load } from '../../checker/interleavings/family-operations.ts';
import { profileFor } from '../../commands/designs/bound.ts';
import type { NamedScenario } from '../../commands/explore/exploration.ts';
import type { Action } from '../../model/client/all.ts';
import { olderValues } from '../../model/core/override.ts';
import { PREFERRED } from '../../model/core/profile.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import type { TracingKind } from '../../model/trampoline/program.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { callerOf } from '../../properties/observed/sample-call.ts';
import type { CallerScript, Scenario, StartsAt } from '../../properties/observed/scenario.ts';

/*
 * A link comes, or goes, while a task is in a call: what is freed then, and what is waited for before. The task is
 * anywhere; or it is preempted before its program, or sleeps in it or in the function, before any client begins. Of
 * the last three there are few states, so that a design with much work in the background is explored to its end.
 */

const FUNCTIONS = [tracedFunction('f1', 1, 'u64 -> u64'), tracedFunction('f2', 2, 'u64 -> u64')];

type Operation = Pick<Scenario, 'setup' | 'clients'>;

/** How programs are loaded and linked: to one function each, or by multi links. */
interface Linking {
  readonly load: (prog: number, kind: TracingKind) => Action;
  readonly link: (prog: number) => Action;
}

const SINGLE: Linking = { load: (prog, kind) => load(prog, kind, 'f1'), link };
const MULTI: Linking = { load: loadMulti, link: (prog) => linkMulti(prog, 'f1') };
const MULTI_OF_BOTH: Linking = { load: loadMulti, link: (prog) => linkMulti(prog, 'f1+f2') };

/** Of each design, and of single programs in every life cycle of images. */
export function freeingScenarios(): NamedScenario[] {
  const designs = DESIGNS.map(profileFor);
  const older = olderValues('imageLifecycle').map((value) => `6.12, imageLifecycle = ${value}`);
  return [
    ...designs.flatMap((profile) => [...beside(profile, MULTI), ...beside(profile, MULTI_OF_BOTH)]),
    ...[...PREFERRED, ...older].flatMap((profile) => beside(withSleepers(profile), SINGLE)),
  ];
}

/** The first program, where the task is, and what a client does. */
interface Beside {
  readonly kind: TracingKind;
  readonly startsAt: StartsAt | undefined;
}

const TASKS: readonly Beside[] = [
  { kind: 'fentry', startsAt: undefined },
  { kind: 'fexit', startsAt: undefined },
  { kind: 'fentry', startsAt: { place: 'prog#1', condition: 'preempted' } },
  { kind: 'fentry', startsAt: { place: 'prog#1', condition: 'asleep' } },
  { kind: 'fexit', startsAt: { place: 'body_hook', condition: 'asleep' } },
];

function beside(profile: string, linking: Linking): NamedScenario[] {
  return TASKS.flatMap((task) =>
    operations(task, linking).map(
      ({ setup, clients }, i): NamedScenario => ({
        name: `a task beside operation ${i}`,
        scenario: { profile, functions: FUNCTIONS, cpus: 1, setup, clients, callers: [callerAt(task)] },
      }),
    ),
  );
}

function callerAt({ startsAt }: Beside): CallerScript {
  return startsAt === undefined ? callerOf('f1') : { ...callerOf('f1'), startsAt };
}

/** One link goes, and its program after it; one of two goes; two more come; one comes, where no task waits in it. */
function operations({ kind, startsAt }: Beside, { load, link }: Linking): Operation[] {
  const first = sleeping(load(1, kind), startsAt?.condition === 'asleep' && startsAt.place === 'prog#1');
  const [second, third] = [load(2, kind), load(3, kind)];
  const attached = [first, link(1)];
  const close = (number: number): Action => ({ do: 'close(link)', link: `link#${number}` });
  return [
    { setup: attached, clients: [[close(1), { do: 'close(prog)', prog: 1 }]] },
    { setup: [...attached, second, link(2)], clients: [[close(1)]] },
    { setup: [...attached, second, third], clients: [[link(2), link(3)]] },
    ...(startsAt === undefined ? [{ setup: [first], clients: [[link(1)]] }] : []),
  ];
}

function sleeping(action: Action, sleepable: boolean): Action {
  return action.do === 'BPF_PROG_LOAD' ? { ...action, program: { ...action.program, sleepable } } : action;
}

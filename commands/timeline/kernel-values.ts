import { taskName } from '../../checker/interleavings/actor-names.ts';
import { namedActor } from '../../checker/interleavings/actors.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import type { PackedState } from '../../checker/interleavings/state.ts';
import { conditionNamed, cpuIn, standingIn } from '../../checker/interleavings/state.ts';
import { callersIn } from '../../checker/interleavings/waits-for.ts';
import { printCall } from '../../model/client/call.ts';
import { last } from '../../model/core/present.ts';
import type { KernelView } from '../../model/kernel.ts';
import { describeBranch } from '../../model/text/branch.ts';
import { siteAddress } from '../../model/text/text.ts';
import { standingsIn } from '../explain/move-told.ts';
import { CPUS, GRACE_PERIODS, LOCKS, TEXT } from './groups.ts';
import type { LastingValue } from './lasting-values.ts';

/* The parts of a state that a timeline has as tracks. */

/** Call sites, instructions that kprobes have changed, and images: of a kernel, whatever runs in it. */
export function textValues(k: KernelView): LastingValue[] {
  const offset = `+0x${k.text.siteOffset.toString(16)}`;
  const sites = Object.entries(k.text.sites).map(([fn, bytes]) =>
    textValue({ group: TEXT, track: fn + offset }, describeBranch(k, bytes, siteAddress(k, fn)), { bytes }),
  );
  const probed = Object.entries(k.text.probed).map(([ip, bytes]) =>
    textValue({ group: TEXT, track: ip }, bytes, { bytes }),
  );
  const images = Object.entries(k.bpf.images).map(([image, { state, target, programs, callOrig }]) =>
    textValue({ group: TEXT, track: image }, state, { target, programs, callOrig }),
  );
  return [...sites, ...probed, ...images];
}

function textValue(
  on: Pick<LastingValue, 'group' | 'track'>,
  name: string,
  args: LastingValue['args'],
): LastingValue {
  return { ...on, name, cat: 'text', key: JSON.stringify([name, args]), args };
}

/** All of them, of an interleaving. */
export function valuesOf(space: Space, state: PackedState): LastingValue[] {
  return [
    ...cpuValues(space, state),
    ...lockValues(space, state),
    ...waitValues(space, state),
    ...textValues(space.kernelOf(state)),
  ];
}

/** The task on each CPU, and the condition of each task that is on none. */
function cpuValues({ scenario }: Space, state: PackedState): LastingValue[] {
  return scenario.callers.flatMap(({ call }, i): LastingValue[] => {
    const standing = standingIn(state, i);
    const condition = conditionNamed(standing);
    if (condition === 'outside') return [];
    const of = { group: CPUS, cat: 'cpu', args: { call: printCall(call, scenario) } };
    return condition === 'running'
      ? [{ ...of, track: `cpu ${cpuIn(standing)}`, name: taskName(i), key: String(i) }]
      : [{ ...of, track: `${taskName(i)}, on no cpu`, name: condition, key: condition }];
  });
}

/** The holder of each lock, and all that wait for it. */
function lockValues(space: Space, state: PackedState): LastingValue[] {
  const works = space.worksOf(state);
  const held = Object.entries(space.kernelOf(state).locks).map(([lock, who]) => {
    const holder = namedActor(works, who);
    return { group: LOCKS, track: lock, name: holder, cat: 'lock', key: holder, args: { holder } };
  });
  const waiting = standingsIn(space, state).flatMap(({ who, wait }) => {
    if (wait?.is !== 'lock') return [];
    const { lock, holder } = wait;
    const track = `${lock}, ${who} waits`;
    return [
      { group: LOCKS, track, name: `waits for ${lock}`, cat: 'lock wait', key: lock, args: { holder } },
    ];
  });
  return [...held, ...waiting];
}

/** Grace periods, and what else is waited for, by who waits. A wait that follows another of its flavour is another one. */
function waitValues(space: Space, state: PackedState): LastingValue[] {
  return standingsIn(space, state).flatMap(({ who, frames, waits, holdouts }) => {
    if (waits === null) return [];
    const key = `${waits} ${frames === null ? '' : last(frames).pc}`;
    const args = { flavour: waits, waitsFor: callersIn(holdouts) };
    return [
      { group: GRACE_PERIODS, track: `${waits}, for ${who}`, name: waits, cat: 'grace period', key, args },
    ];
  });
}

/** Tasks that a grace period no longer waits for, by who waits. */
export function passedTasks(space: Space, before: PackedState, after: PackedState) {
  const now = standingsIn(space, after);
  return standingsIn(space, before).flatMap(({ who, waits, holdouts }) => {
    const later = now.find((own) => own.who === who);
    if (waits === null || later?.waits !== waits) return [];
    const tasks = callersIn(holdouts & ~later.holdouts);
    return tasks.map((task) => ({ track: `${waits}, for ${who}`, task }));
  });
}

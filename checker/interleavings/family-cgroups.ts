import type { Action } from '../../model/client/all.ts';
import type { ProgId } from '../../model/core/ids.ts';
import { plainProgram } from '../../model/trampoline/program.ts';
import { listedFunction, tracedFunction } from '../../model/trampoline/traced-function.ts';
import { fromNumber } from '../../model/x86/word.ts';
import { callerOf } from '../../properties/observed/sample-call.ts';
import type { FamilyScenario } from './family.ts';

/*
 * Programs of BPF LSM come to a cgroup and go, while a task calls their hook. They share a shim: the first makes it, the
 * last one drops it.
 */

export const HOOK = listedFunction(tracedFunction('f1', 1, 'u64 -> u64'), 'lsm');

/** One of two clients, by the number of its program: the setup that it needs, and its calls. */
interface OnCgroup {
  readonly name: string;
  readonly setup: (own: ProgId) => readonly Action[];
  readonly script: (own: ProgId) => readonly Action[];
}

/** A program that allows, as 1 does for a cgroup. */
export function loadForCgroup(id: ProgId): Action {
  const program = {
    ...plainProgram(id),
    kind: 'fmod_ret',
    lsm: true,
    cgroup: true,
    reads: 'direct',
  } as const;
  return { do: 'BPF_PROG_LOAD', program, target: HOOK.name, probe: '', returns: fromNumber(1) };
}

export const attachToCgroup = (own: ProgId): Action => ({
  do: 'BPF_LINK_CREATE',
  link: `link#${own}`,
  prog: own,
  targets: [],
});
const close = (own: ProgId): Action => ({ do: 'close(link)', link: `link#${own}` });

const ATTACH: OnCgroup = {
  name: 'attach to a cgroup',
  setup: (own) => [loadForCgroup(own)],
  script: (own) => [attachToCgroup(own)],
};
const DETACH: OnCgroup = {
  name: 'detach from a cgroup',
  setup: (own) => [loadForCgroup(own), attachToCgroup(own)],
  script: (own) => [close(own)],
};

/** The programs of each pair, and one that leaves and returns: its second link may find the shim of the first. */
const SCENARIOS: readonly (readonly OnCgroup[])[] = [
  [ATTACH, ATTACH],
  [DETACH, DETACH],
  [
    {
      ...DETACH,
      name: 'detach from a cgroup and attach',
      script: (own) => [close(own), attachToCgroup(own)],
    },
  ],
];

/** The scenarios of a kernel, each with one caller of the hook. */
export function onCgroups(profile: string, cpus: number): FamilyScenario[] {
  return SCENARIOS.map((all) => ({
    name: all.map(({ name }) => `${name} f1`).join(', '),
    scenario: {
      profile,
      cpus,
      functions: [HOOK],
      setup: all.flatMap(({ setup }, i) => setup(i + 1)),
      clients: all.map(({ script }, i) => script(i + 1)),
      callers: [callerOf(HOOK.name)],
    },
  }));
}

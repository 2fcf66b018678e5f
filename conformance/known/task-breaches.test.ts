import { describe, expect, onTestFinished, test } from 'vitest';
import { knownByCause, knownTaskBreach } from '../../checker/interleavings/known-task-breach.ts';
import type { IsSought, NearestOccurrence } from '../../checker/interleavings/nearest-breach.ts';
import { askLaw, nearestBreach, nearestOccurrence } from '../../checker/interleavings/nearest-breach.ts';
import { Space } from '../../checker/interleavings/space.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { registerDesign } from '../../model/step.ts';
import { programSets } from '../../model/trampoline/designs/program-sets.ts';
import { fprobe } from '../../properties/planted/sequences/actions.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';
import { someOf } from '../../test/thorough.ts';
import { canStandOn } from './attach-example.ts';
import { KNOWN_TASK } from './task-breaches.ts';
import type { KnownTask } from './task-known.ts';
import { scenarioOn } from './task-known.ts';
import { SKIPPED_BESIDE_A_SHARED_FPROBE } from './task-misses.ts';
import { knownTaskName } from './task-name.ts';
import { TABLE_REFUSED_ON_THE_LIST } from './task-readers.ts';

const LACKS = /^the setup fails: \S+ answers (EOPNOTSUPP|EINVAL|EBUSY|EBADF)$| cannot run on /;

function ask(known: KnownTask, profile: string) {
  return askLaw(known.law, scenarioOn(known, profile), [], known.grain);
}

function spaceOf(known: KnownTask, profile: string): Space {
  return new Space(scenarioOn(known, profile), known.grain === undefined ? {} : { grain: known.grain });
}

/** The nearest breach in another kernel that is not listed: it may break the law in a way of its own that is. */
function unlistedBreach(known: KnownTask, profile: string) {
  return nearestBreach(
    known.law,
    spaceOf(known, profile),
    undefined,
    (breach) => knownTaskName(breach) === undefined,
  );
}

function occurrence(known: KnownTask, profile: string): NearestOccurrence {
  const isSought: IsSought = (breach) => knownByCause([known], breach) === known;
  const found = nearestOccurrence(known.law, spaceOf(known, profile), isSought);
  if (found === undefined) throw new Error(`${profile} does not show ${known.name}`);
  return found;
}

/* The test of the saved counterexamples checks that its kernels show each after the stated number of moves. */

/** A kernel without a breach is explored completely, for some of them. */
const ASKED = someOf(KNOWN_TASK, 12);

test('known breaches of interleavings have unique names, and laws that are checked', () => {
  expect(new Set(KNOWN_TASK.map(({ name }) => name)).size).toBe(KNOWN_TASK.length);
  expect(KNOWN_TASK.filter(({ law }) => !ALL_TASK_LAWS.includes(law))).toEqual([]);
});

describe.each(KNOWN_TASK.map((known) => [known.name, known] as const))('%s', (_, known) => {
  test('is reported for each kernel', () => {
    const said = [...known.kernels, ...known.others, ...(known.lacks ?? [])].map(
      (profile) => profile.split(',')[0],
    );
    expect(said.sort()).toEqual([...KERNELS].sort());
  });

  test.each(someOf(known.variants ?? [], 3))('is shown by the variant %s', (multiLinks) => {
    const kernels = known.kernels.filter((kernel) => canStandOn({ multiLinks }, kernel));
    expect(kernels).not.toEqual([]);
    for (const kernel of kernels)
      expect(knownTaskBreach([known], occurrence({ ...known, multiLinks }, kernel))).toBe(known);
  });

  test.runIf(ASKED.includes(known))('is shown by no other', () => {
    for (const profile of known.others) {
      const { breach, complete } = unlistedBreach(known, profile);
      expect({ profile, finding: breach?.finding, complete }).toEqual({
        profile,
        finding: undefined,
        complete: true,
      });
    }
    for (const profile of known.lacks ?? []) expect(() => ask(known, profile)).toThrow(LACKS);
    expect(known.kernels.length + known.others.length + (known.lacks?.length ?? 0)).toBe(3);
  });
});

test.each(['refused-direct-call-is-reset-on-the-list', 'ftrace-dies-of-a-refused-direct-call'])(
  '%s is met by a table of sites as well',
  (name) => {
    const known = KNOWN_TASK.find((entry) => entry.name === name)!;
    const found = occurrence({ ...known, scenario: TABLE_REFUSED_ON_THE_LIST }, '7.2');
    expect(knownTaskBreach(KNOWN_TASK, found)).toBe(known);
  },
);

test.each(['6.12', '7.2'])(
  'a disabled kprobe counts the calls that a shared fprobe has it skip, %s',
  (kernel) => {
    const known = KNOWN_TASK.find(({ name }) => name === 'disabled-kprobe-counts-misses')!;
    const within = ['fprobe_kprobe_handler', 'fprobe_ftrace_entry', 'fprobe_fgraph_entry'];
    const inAnFprobe = { ...known, scenario: SKIPPED_BESIDE_A_SHARED_FPROBE, cause: { last: { within } } };
    expect(knownTaskBreach(KNOWN_TASK, occurrence(inAnFprobe, kernel))).toBe(known);
  },
);

test('an fprobe with an exit handler alone sees twice the return of a call whose walk starts over', () => {
  const known = KNOWN_TASK.find(({ name }) => name === 'ops-is-registered-again-under-a-walk')!;
  const { setup, ...others } = known.scenario;
  const withFprobe = { ...others, setup: [...setup.slice(0, 1), fprobe(1, false, true)] };
  expect(knownTaskBreach(KNOWN_TASK, occurrence({ ...known, scenario: withFprobe }, '6.12'))).toBe(known);
});

describe('a design that attaches like another', () => {
  const LISTED = KNOWN_TASK.find(({ name }) => name === 'lost-events-between-two-ops')!;
  const MINE = { ...LISTED, multiLinks: 'mine' };

  test.each([
    ['program sets', LISTED],
    ['one by one', undefined],
    [undefined, undefined],
  ])('%s has what is listed for that one', (like, entry) => {
    onTestFinished(registerDesign({ ...programSets, name: 'mine', ...(like === undefined ? {} : { like }) }));
    expect(knownTaskBreach(KNOWN_TASK, occurrence(MINE, '6.12'))).toBe(entry);
  });
});

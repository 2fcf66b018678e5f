import { describe, expect, test } from 'vitest';
import { benchFor } from '../../checker/images/bench.ts';
import type { CaseOutcome, ImageCase } from '../../checker/images/case.ts';
import { runCase } from '../../checker/images/case.ts';
import { mutantsOf, runInKernel } from '../../checker/images/mutation-rig.ts';
import { parseTrace } from '../../counterexamples/images/trace.ts';
import { KERNELS, PROFILES } from '../../model/core/profile.ts';
import type { Item } from '../../model/trampoline/item.ts';
import { withReg } from '../../model/trampoline/item.ts';
import { RAX, RDX } from '../../model/x86/register.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { KERNEL } from '../../properties/observed/subject.ts';
import { PLANTED } from '../../properties/planted/images/all.ts';
import { editItems } from '../../properties/planted/images/edit.ts';
import type { Planted } from '../../properties/planted/images/planted.ts';
import { sources } from '../../test/sources.ts';
import { KNOWN } from './known.ts';

/*
 * Bugs judged as if they were in the kernel: none may pass for a listed breach.
 */

/** Known breaches that an image shows where the kernel's does not. */
function swallowed(outcome: CaseOutcome | undefined, own: CaseOutcome | undefined): string[] {
  return [...(outcome?.places ?? [])].filter((place) => own?.places.has(place) !== true);
}

/**
 * Faults that do not show in the examples of known breaches, and why that is right. All others break a law in an
 * unlisted way.
 */
const HARMLESS: Readonly<Record<string, string>> = {
  '8 bytes off open frame: lower': 'a word is left unused',
  'without after-call nop: nop5': 'nothing can be patched, so nothing goes wrong when it is',
  'without begin exit part: align': 'alignment is for speed',
  'without store cookie: store': 'a program before it has stored the same cookie, zero',
  '8 bytes off store cookie: store': 'the same, and the word after it is overwritten by enter',
  'without leave image: label': 'nothing branches to it',
  '8 bytes off save argument: load':
    'the word is read from where the ABI puts it: a part of the breach is mended',
  '-8 bytes off save argument: load': 'the same',
  'without save argument: load': 'the same: the load before has read that word',
  'without skip program: ifZero': 'enter does not answer zero where it does not check for recursion',
  'without skip program: label': 'the same',
  'without copy stack argument: load': 'the word that is copied is padding',
  '8 bytes off copy stack argument: load': 'the same',
  '-8 bytes off copy stack argument: load': 'the same',
  'without copy stack argument: store': 'the same',
  '8 bytes off copy stack argument: store': 'the same, and the word after it is copied afterwards',
};

describe('every single fault in an image with a known breach is new:', () => {
  const met = new Set<string>();

  test.each(KNOWN.map((known) => [known.name, known] as const))('%s', (_, { example }) => {
    const own = runInKernel(KERNEL, example, KNOWN)!;
    const survivors: string[] = [];
    for (const [name, tools] of mutantsOf(example)) {
      const outcome = runInKernel(tools, example, KNOWN);
      if (outcome?.verdict === undefined || outcome.verdict.breach !== undefined) continue;
      survivors.push(name);
      expect([name, ...outcome.known.filter((entry) => !own.known.includes(entry))]).toEqual([name]);
    }
    for (const name of survivors) met.add(name);
    expect(survivors.filter((name) => HARMLESS[name] === undefined)).toEqual([]);
  });

  test('the list of harmless ones is not longer than it has to be', () => {
    expect([...met].sort()).toEqual(Object.keys(HARMLESS).sort());
  });
});

/**
 * Causes that a list of signatures and sentences would take for the listed one: in its example, under the same law.
 */
const NEAR_MISSES: readonly (readonly [string, string, (items: readonly Item[]) => Item[]])[] = [
  [
    'early-return-passes-the-patched-nop',
    'the nop is patched to a jump to the exit programs, not past them',
    (items) => moved(items, isEpilogue, ({ role }) => role === 'begin exit part'),
  ],
  [
    'early-return-passes-the-patched-nop',
    'the nop comes before the store of the return value',
    (items) =>
      moved(
        items,
        ({ role }) => role === 'after-call nop',
        ({ role }) => role === 'store original return',
      ),
  ],
  [
    'rdx-of-a-wide-return-is-lost',
    'the end of the image overwrites rdx',
    (items) =>
      items.flatMap((item) =>
        item.role === 'load return'
          ? [item, { ...withReg('load return', 0, 'move', RDX), from: RAX }]
          : [item],
      ),
  ],
  [
    'aligned-stack-argument-seen-by-programs',
    'every stack argument is read one word too low',
    (items) => items.map((item) => (isSavedFromStack(item) ? { ...item, at: item.at - 8 } : item)),
  ],
  [
    'aligned-stack-argument-before-a-narrow-one',
    'the last argument is read one word too low',
    (items) =>
      items.map((item) => (isSavedFromStack(item) && item.index === 9 ? { ...item, at: item.at - 8 } : item)),
  ],
  [
    'stack-argument-of-a-struct-ops-member',
    'the first argument is not stored either',
    (items) =>
      items.filter(({ role, op, index }) => role !== 'save argument' || op !== 'store' || index !== 0),
  ],
  [
    'narrow-stack-argument-of-a-struct-ops-member',
    'the last argument is read two words too low',
    (items) =>
      items.map((item) =>
        isSavedFromStack(item) && item.index === 7 ? { ...item, at: item.at - 16 } : item,
      ),
  ],
  [
    'aligned-stack-argument-of-the-original',
    'the first stack argument is not copied either',
    (items) => items.filter(({ role, index }) => role !== 'copy stack argument' || index !== 6),
  ],
];

const isEpilogue = ({ role, op }: Item) => role === 'leave image' && op === 'label';

const isSavedFromStack = ({ role, op }: Item) => role === 'save argument' && op === 'load';

/** The item before the first that satisfies another test. */
function moved(
  items: readonly Item[],
  isMoved: (item: Item) => boolean,
  isBehind: (item: Item) => boolean,
): Item[] {
  const rest = items.filter((item) => !isMoved(item));
  return rest.toSpliced(rest.findIndex(isBehind), 0, ...items.filter(isMoved));
}

describe('the same law, in the same image, for another cause is new:', () => {
  test.each(NEAR_MISSES)('%s: %s', (name, _, edit) => {
    const { example, law } = KNOWN.find((known) => known.name === name)!;
    const tools = editItems(edit)(KERNEL);
    const laws = IMAGE_LAWS.filter((item) => item.name === law);
    const outcome = runCase({ ...benchFor(undefined), tools }, example, { laws, known: KNOWN });
    expect(outcome.verdict?.breach?.law.name).toBe(law);
  });
});

const TRACES = new Map(sources('.trace').map(({ path, text }) => [path, text]));

function smallestOf({ name, law }: Planted): ImageCase {
  return parseTrace(TRACES.get(`counterexamples/corpus/${law.name}.${name}.trace`)!).case;
}

describe('a planted bug passes for no listed breach, in its smallest case and in those of known breaches:', () => {
  test.each(PLANTED.map((planted) => [planted.name, planted] as const))('%s', (_, planted) => {
    const faulty = { ...benchFor(planted), isChanged: false };
    const smallest = smallestOf(planted);
    const cases = [
      ...KERNELS.map((kernel) => ({ ...smallest, kernel, ibt: PROFILES[kernel].ibt })),
      ...KNOWN.map(({ example }) => example),
    ];
    for (const c of cases) {
      const outcome = runCase(faulty, c, { laws: IMAGE_LAWS, known: KNOWN });
      expect([c.kernel, ...swallowed(outcome, runInKernel(KERNEL, c, KNOWN))]).toEqual([c.kernel]);
      if (c.kernel === smallest.kernel && !KNOWN.some(({ example }) => example === c))
        expect(outcome.verdict?.breach).toBeDefined();
    }
  });
});

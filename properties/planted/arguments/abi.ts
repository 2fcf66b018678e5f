import type { Needed, SharedBy } from '../../../model/abi/sharing.ts';
import { ctxPlan } from '../../../model/abi/sharing.ts';
import type { ArgumentSlot } from '../../../model/abi/slots.ts';
import { item } from '../../../model/core/present.ts';
import { argumentLocationsAreDisjoint } from '../../abi/argument-locations-are-disjoint.ts';
import { imageCountIsMonotonic } from '../../abi/image-count-is-monotonic.ts';
import { oneImageServesEachFunction } from '../../abi/one-image-serves-each-function.ts';
import { prefixSharingNeedsNoMoreImages } from '../../abi/prefix-sharing-needs-no-more-images.ts';
import { sharingIgnoresOrder } from '../../abi/sharing-ignores-order.ts';
import { sharingIsSound } from '../../abi/sharing-is-sound.ts';
import type { AbiLaw, AbiTools } from '../../law/argument-law.ts';

/** A deliberate fault in image sharing or in argument locations. */
export interface AbiPlanted {
  readonly name: string;
  /** The fault in one sentence. */
  readonly sentence: string;
  readonly law: AbiLaw;
  /** The smallest sample that shows it, as `printSample()` writes it. */
  readonly smallest: string;
  readonly tools: (model: AbiTools) => AbiTools;
}

/** Changes what `trampolinesNeeded()` answers. */
function needing(change: (needed: Needed) => readonly SharedBy[]): AbiPlanted['tools'] {
  return (model) => ({
    ...model,
    trampolinesNeeded: (functions, arch, how) => {
      const classes = change(model.trampolinesNeeded(functions, arch, how));
      return { trampolines: classes.length, classes };
    },
  });
}

export const ABI_PLANTED: readonly AbiPlanted[] = [
  {
    name: 'argument-is-split',
    sentence:
      'The first word of an argument that does not fit into the remaining registers goes into the last of them.',
    law: argumentLocationsAreDisjoint,
    smallest: 'x86-64, exact: u64 x5, s16b -> u64',
    tools: (model) => ({
      ...model,
      passing: (arch, signature) => {
        const passed = model.passing(arch, signature);
        return { ...passed, slots: splitOverLast(passed.slots) };
      },
    }),
  },
  {
    name: 'function-in-every-class-that-serves-it',
    sentence: 'A function is a member of every class whose plan begins with its own.',
    law: oneImageServesEachFunction,
    smallest: 'x86-64, exact: -> u64; u64 -> u64',
    tools: (model) => ({
      ...model,
      trampolinesNeeded: (functions, arch, how) => {
        const { trampolines, classes } = model.trampolinesNeeded(functions, arch, how);
        const begins = (plan: readonly string[], i: number) =>
          ctxPlan(item(functions, i), arch).every((places, word) => places === plan[word]);
        const all = functions.map((_, i) => i);
        return {
          trampolines,
          classes: classes.map(({ plan }) => ({ plan, members: all.filter((i) => begins(plan, i)) })),
        };
      },
    }),
  },
  {
    name: 'longest-plans-serve-all',
    sentence: 'Only the longest plans are kept, and all functions share the first of them.',
    law: imageCountIsMonotonic,
    smallest: 'x86-64, exact, own registers: -> u64; -> s16b; u64 -> u64',
    tools: needing(({ classes }) => {
      const most = Math.max(0, ...classes.map(({ plan }) => plan.length));
      return classes.filter(({ plan }) => plan.length === most);
    }),
  },
  {
    name: 'first-come-first-served',
    sentence: 'Functions are taken in order: each joins an existing image, or keeps its own for good.',
    law: sharingIgnoresOrder,
    smallest: 'x86-64, exact: -> u64; u64 -> u64',
    tools: (model) => ({
      ...model,
      trampolinesNeeded: (functions, arch) => {
        const classes: { plan: string[]; members: number[] }[] = [];
        functions.forEach((traced, i) => {
          const plan = ctxPlan(traced, arch);
          const found = classes.find((there) => plan.every((places, word) => places === there.plan[word]));
          if (found === undefined) classes.push({ plan, members: [i] });
          else found.members.push(i);
        });
        return { trampolines: classes.length, classes };
      },
    }),
  },
  {
    name: 'prefixes-split-by-return-type',
    sentence:
      'With prefix plans an image stores the registers of one return type, although all registers were requested.',
    law: prefixSharingNeedsNoMoreImages,
    smallest: 'x86-64, exact: -> u64; -> s16b',
    tools: (model) => ({
      ...model,
      trampolinesNeeded: (functions, arch, how) =>
        model.trampolinesNeeded(
          functions,
          arch,
          how.plans === 'prefix' ? { ...how, returnWidth: 'own registers' } : how,
        ),
    }),
  },
  {
    name: 'plans-compared-by-length',
    sentence: 'Functions with the same number of words share an image, wherever the words are passed.',
    law: sharingIsSound,
    smallest: 'x86-32, exact: u64 x3, s16b -> u64; u64, s16b, s9b -> u64',
    tools: needing(({ classes }) => {
      const byLength = new Map<number, SharedBy>();
      for (const { plan, members } of classes) {
        const known = byLength.get(plan.length);
        byLength.set(
          plan.length,
          known === undefined
            ? { plan, members }
            : { plan: known.plan, members: [...known.members, ...members] },
        );
      }
      return [...byLength.values()];
    }),
  },
  {
    name: 'shared-image-clears-garbage',
    sentence:
      'A shared image clears the upper half of the last word, where its own function has a narrow argument.',
    law: sharingIsSound,
    smallest: 'x86-64, exact: s16b, u128 x2, s32 -> u64; s16b, u128 x2, u64 -> u64',
    tools: (model) => ({ ...model, sharedSignature: (signature) => signature }),
  },
];

/** Moves the first word of a longer argument on the stack into the next free register. */
function splitOverLast(slots: readonly ArgumentSlot[]): readonly ArgumentSlot[] {
  const on = slots.findIndex(
    ({ word, place }, i) =>
      word === 0 && place.in === 'stack' && slots[i + 1]?.argument === item(slots, i).argument,
  );
  if (on < 0) return slots;
  const taken = Math.max(-1, ...slots.map(({ place }) => (place.in === 'register' ? place.index : -1)));
  return slots.map((slot, i) => (i === on ? { ...slot, place: { in: 'register', index: taken + 1 } } : slot));
}

import type { SlotPlace } from '../../model/abi/x86-64.ts';
import { item } from '../../model/core/present.ts';
import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import { ORIGINAL_REGISTERS, ORIGINAL_STACK, wordOf } from '../../model/trampoline/stage/event.ts';
import { plus } from '../../model/x86/word.ts';
import type { PlacedInstead } from '../finding/image-finding.ts';
import type { Law } from '../law/image-law.ts';
import { psabiPlaces } from '../observed/psabi-places.ts';
import { foundAt, isArgument, seenWord } from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

export const argumentsReachTheOriginal: Law = {
  name: 'trampoline/arguments-reach-the-original',
  sentence: "The traced function finds the caller's arguments where the ABI places them.",
  source: 'arch/x86/net/bpf_jit_comp.c  restore_regs, save_args',
  premise: ({ contract }) => contract.slots.length > 0,
  witness: 'a function with an argument',
  inspect: ({ contract }) => {
    const expected = psabiPlaces(contract.signature.args);
    const argument = expected.findIndex((place, i) => !isSamePlace(place, contract.slots[i]?.place));
    if (argument < 0) return undefined;
    const observed = contract.slots[argument]?.place ?? null;
    return {
      finding: { is: 'caller-passes-elsewhere', argument, expected: item(expected, argument), observed },
    };
  },
  on: {
    original: (memory, event, subject) => {
      const [first, ...others] = wrongWords(event, subject);
      if (first === undefined) return memory;
      const { place } = first;
      const slot = place.in === 'stack' ? plus(wordOf(event, 2), 8 + 8 * place.index) : undefined;
      return foundAt(event, { is: 'arguments-of-the-original-differ', words: [first, ...others] }, slot);
    },
  },
};

function isSamePlace(place: SlotPlace, other: SlotPlace | undefined): boolean {
  return place.in === other?.in && place.index === other.index;
}

/** Words that are not where the ABI puts them. */
function wrongWords(event: StageEvent, { contract: { slots } }: Subject): readonly PlacedInstead[] {
  let wrong: PlacedInstead[] | undefined;
  for (let i = 0; i < slots.length; i++) {
    const { place, bytes } = item(slots, i);
    const index = (place.in === 'register' ? ORIGINAL_REGISTERS : ORIGINAL_STACK) + place.index;
    if (!isArgument(event, index, i, bytes))
      (wrong ??= []).push({ argument: i, place, observed: seenWord(event, index) });
  }
  return wrong ?? NONE;
}

const NONE: readonly PlacedInstead[] = [];

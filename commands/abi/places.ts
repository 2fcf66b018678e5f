import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { wrap } from '../../counterexamples/text.ts';
import type { ArchName, Returned } from '../../model/abi/arch.ts';
import { passing, placeOn } from '../../model/abi/arch.ts';
import type { ArgumentSlot } from '../../model/abi/slots.ts';
import { item } from '../../model/core/present.ts';
import { KERNELS, PROFILES } from '../../model/core/profile.ts';
import { imageSlots } from '../../model/trampoline/image-slots.ts';
import type { Signature } from '../../model/trampoline/signature.ts';
import { printSignature } from '../../model/trampoline/signature.ts';
import { sharingJson, sharingLines } from './sharing.ts';

/** A function given on the command line. */
export interface NamedFunction {
  readonly name: string;
  readonly signature: Signature;
}

/**
 * Where arguments are passed, what each kernel's images make of them, and for several functions, how many
 * images they need.
 */
export function tellPlaces(arch: ArchName, functions: readonly NamedFunction[]): Answer {
  const several = functions.length > 1;
  const text = [
    ...functions.flatMap((namedFunction, i) => [
      ...(i === 0 ? [] : ['']),
      ...placeLines(arch, namedFunction, several),
    ]),
    ...(several ? ['', ...sharingLines(arch, functions)] : []),
  ];
  const json = {
    command: 'abi',
    exit: EXIT.HELD,
    arch,
    functions: functions.map((namedFunction) => functionJson(arch, namedFunction)),
    sharing: several ? sharingJson(arch, functions) : [],
  };
  return { text: text.join('\n'), json, exit: EXIT.HELD, save: [] };
}

function placeLines(arch: ArchName, { name, signature }: NamedFunction, several: boolean): string[] {
  const { slots, copied, returns } = passing(arch, signature);
  const types = signature.args.map((type, i) => {
    const places = placesOf(arch, slots, i);
    return [`argument ${i + 1}`, type.name, copied.includes(i) ? `a copy, its address in ${places}` : places];
  });
  const rows = [...types, ['returns', signature.ret.name, returnedIn(returns)]];
  return [
    ...wrap(`${arch}: ${several ? `${name}(${printSignature(signature)})` : printSignature(signature)}`, 80),
    '',
    ...rows.map(([what = '', type = '', where]) => `  ${what.padEnd(16)}${type.padEnd(8)}${where}`),
    '',
    ...imageLines(arch, signature),
  ];
}

/** `rdi`, `eax, edx`: the places of an argument, its first word first. */
function placesOf(arch: ArchName, slots: readonly ArgumentSlot[], argument: number): string {
  const own = slots.filter((slot) => slot.argument === argument);
  return own.map(({ place }) => placeOn(arch, place)).join(', ');
}

function returnedIn(returns: Returned): string {
  if (returns.in === 'memory') return `memory, whose address is passed in ${returns.addressIn}`;
  return returns.registers.join(', ') || '–';
}

/** The view of each kernel's generator; kernels with the same result share a row. */
function imageLines(arch: ArchName, signature: Signature): string[] {
  const said = new Map<string, string[]>();
  for (const kernel of KERNELS) {
    const sentence = imageSentence(arch, signature, imageSlots(arch, signature, PROFILES[kernel]));
    said.set(sentence, [...(said.get(sentence) ?? []), kernel]);
  }
  return [...said].flatMap(([sentence, kernels]) =>
    wrap(sentence, 62).map((line, i) => `  ${(i === 0 ? kernels.join(', ') : '').padEnd(16)}${line}`),
  );
}

function imageSentence(
  arch: ArchName,
  signature: Signature,
  found: readonly ArgumentSlot[] | string,
): string {
  if (typeof found === 'string') return `no image: ${found}`;
  const { slots } = passing(arch, signature);
  const wrong = signature.args.findIndex((_, i) => placesOf(arch, found, i) !== placesOf(arch, slots, i));
  if (wrong < 0) return 'an image finds every argument';
  return `an image looks for argument ${wrong + 1} in ${placesOf(arch, found, wrong)}`;
}

function functionJson(arch: ArchName, { name, signature }: NamedFunction) {
  const { slots, copied, returns } = passing(arch, signature);
  const places = (all: readonly ArgumentSlot[]) =>
    signature.args.map((_, i) =>
      all.filter(({ argument }) => argument === i).map(({ place }) => placeOn(arch, place)),
    );
  return {
    name,
    signature: printSignature(signature),
    arguments: places(slots).map((where, i) => ({
      type: item(signature.args, i).name,
      places: where,
      copied: copied.includes(i),
    })),
    returns:
      returns.in === 'memory'
        ? { inMemory: true, places: [returns.addressIn] }
        : { inMemory: false, places: returns.registers },
    images: KERNELS.map((kernel) => {
      const found = imageSlots(arch, signature, PROFILES[kernel]);
      return typeof found === 'string'
        ? { kernel, errno: found, places: [] }
        : { kernel, errno: null, places: places(found) };
    }),
  };
}

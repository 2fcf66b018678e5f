import { existsOn } from '../../checker/arguments/draw.ts';
import { TARGETS } from '../../conformance/sequences/targets.ts';
import { count } from '../../counterexamples/text.ts';
import type { ArchName } from '../../model/abi/arch.ts';
import { ARCHES, wordBytes } from '../../model/abi/arch.ts';
import { trampolinesNeeded } from '../../model/abi/sharing.ts';
import { item } from '../../model/core/present.ts';
import { refuseSignature } from '../../model/trampoline/load-target.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { ASKED } from './sharing.ts';

/** The functions of the recordings that kernels attach to, and whose types an architecture has. */
export function recordedOn(arch: ArchName): TracedFunction[] {
  return TARGETS.filter(({ signature }) => {
    if (refuseSignature(signature) !== undefined) return false;
    return [...signature.args, signature.ret].every(existsOn(arch));
  });
}

/**
 * The page on how many trampolines the functions of the recordings need: numbers, and which functions share
 * one.
 */
export function sharingPage(): string {
  return [
    '# How many trampolines the functions of the recordings need',
    '',
    'An image prepares the arguments of a function for its programs. How many images do N functions need, if functions share',
    'one where possible? It depends on the architecture, and on what an image must know besides the places of the arguments.',
    'A test keeps this page as it is computed ([`sharing.ts`](../model/abi/sharing.ts)); for your own functions:',
    '`npm run check -- abi --sigs FILE --arch x86-32`.',
    '',
    `The recorder's ${TARGETS.length} functions, without ${refused().join(', ')}, which no kernel attaches to`,
    `(EINVAL), and on x86-32 without ${lacking('x86-32').join(', ')}, for which it has no type:`,
    '',
    `| | ${ARCHES.join(' | ')} |`,
    `|---|${ARCHES.map(() => '---|').join('')}`,
    `| functions | ${ARCHES.map((arch) => count(recordedOn(arch).length)).join(' | ')} |`,
    ...ASKED.map(({ name, how }) => {
      const numbers = ARCHES.map((arch) => neededOn(arch, how).trampolines);
      return `| ${name} | ${numbers.map(count).join(' | ')} |`;
    }),
    '',
    ...ARCHES.flatMap(classesOn),
  ].join('\n');
}

function neededOn(arch: ArchName, how: (typeof ASKED)[number]['how']) {
  return trampolinesNeeded(
    recordedOn(arch).map(({ signature }) => signature),
    arch,
    how,
  );
}

function refused(): string[] {
  return TARGETS.filter(({ signature }) => refuseSignature(signature) !== undefined).map(({ name }) => name);
}

function lacking(arch: ArchName): string[] {
  const there = recordedOn(arch).map(({ name }) => name);
  return TARGETS.map(({ name }) => name).filter((name) => !there.includes(name) && !refused().includes(name));
}

function classesOn(arch: ArchName): string[] {
  const { classes } = neededOn(arch, item(ASKED, 1).how);
  const functions = recordedOn(arch);
  return [
    `## ${arch}`,
    '',
    `If the first words of another function are enough, with registers of ${8 * wordBytes(arch)} bits:`,
    '',
    '| an image prepares | for |',
    '|---|---|',
    ...classes.map(
      ({ plan, members }) =>
        `| \`${plan.join(' ')}\` | ${members.map((i) => item(functions, i).name).join(', ')} |`,
    ),
    '',
  ];
}

import type { Command } from 'commander';
import { clientNames } from '../../checker/cost/client.ts';
import { MECHANISMS } from '../../checker/matrix/mechanism.ts';
import { ARCHES } from '../../model/abi/arch.ts';
import { ERRNO } from '../../model/core/errno.ts';
import { BOOTS, KERNELS, profileNames } from '../../model/core/profile.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import { ABI_LAWS } from '../../properties/abi-laws.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { ALL_PLANTED } from '../../properties/planted/all.ts';
import { HISTORICAL_BUGS } from '../../properties/planted/history/all.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';
import { HIT_LAWS, STUB_LAWS } from '../../properties/tracepoint-laws.ts';
import { SHELLS } from './shells.ts';

type Named = { readonly name: string };

const namesOf = (...lists: readonly (readonly Named[])[]) => lists.flat().map(({ name }) => name);
const { images, sequences, interleavings, stubs, arguments: places } = ALL_PLANTED;

/**
 * The names that values of options have: of a command, or of all. They are looked up late: the user's modules
 * add some.
 */
const OF_OPTIONS: Readonly<Record<string, () => readonly string[]>> = {
  'attachcheck law': () => namesOf(IMAGE_LAWS, ATTACH_LAWS, HIT_LAWS),
  'explore law': () => namesOf(ALL_TASK_LAWS),
  'stubs law': () => namesOf(STUB_LAWS),
  'abi law': () => namesOf(ABI_LAWS),
  'attachcheck planted': () => namesOf(images, sequences),
  'explore planted': () => namesOf(interleavings),
  'exhaust law': () => namesOf(ATTACH_LAWS, HIT_LAWS),
  'exhaust planted': () => namesOf(sequences),
  'matrix planted': () => namesOf(sequences),
  'stubs planted': () => namesOf(stubs),
  'abi planted': () => namesOf(places),
  'attachcheck kernel': () => [...profileNames(), ...namesOf(DESIGNS)],
  kernel: () => profileNames(),
  'why kernel': () => KERNELS,
  'abi kernel': () => KERNELS,
  'image kernel': () => KERNELS,
  designs: () => clientNames(),
  arch: () => ARCHES,
  boot: () => BOOTS,
};

const OF_ARGUMENTS: Readonly<Record<string, (cli: Command) => readonly string[]>> = {
  refine: () => namesOf(DESIGNS),
  matrix: () => namesOf(MECHANISMS),
  why: () => Object.keys(ERRNO),
  bugs: () => namesOf(HISTORICAL_BUGS),
  new: () => ['design'],
  help: (cli) => cli.commands.map((command) => command.name()),
  completion: () => SHELLS,
};

/** The names that the value of an option may have; none: it is a number, or the user's own. */
export function namesOfOption(command: string, option: string): readonly string[] {
  return (OF_OPTIONS[`${command} ${option}`] ?? OF_OPTIONS[option])?.() ?? [];
}

/** The names that an argument of a command may have. */
export function namesOfArgument(command: string, cli: Command): readonly string[] {
  return OF_ARGUMENTS[command]?.(cli) ?? [];
}

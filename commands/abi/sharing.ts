import { counted, wrap } from '../../counterexamples/text.ts';
import type { ArchName } from '../../model/abi/arch.ts';
import type { Needed, Sharing } from '../../model/abi/sharing.ts';
import { BY_PLAN, trampolinesNeeded } from '../../model/abi/sharing.ts';
import { item } from '../../model/core/present.ts';
import type { Signature } from '../../model/trampoline/signature.ts';

/** A question about the same functions, with its wording. */
export interface AskedSharing {
  readonly name: string;
  readonly how: Sharing;
}

const PREFIX: Sharing = { ...BY_PLAN, plans: 'prefix' };

/**
 * The ways of sharing in the table: by plan, by prefix, and further properties that may keep functions apart
 * by prefix.
 */
export const ASKED: readonly AskedSharing[] = [
  { name: 'if functions share whose words are in the same places', how: BY_PLAN },
  { name: 'or are the first words of another function', how: PREFIX },
  {
    name: 'as above, and the return value follows the words',
    how: { ...PREFIX, returnPlace: 'after the arguments' },
  },
  {
    name: 'as above, and equally many registers return a value',
    how: { ...PREFIX, returnWidth: 'own registers' },
  },
  { name: 'as above, and equally many words are on the stack', how: { ...PREFIX, stackCopied: 'own words' } },
];

/** Columns of a plan before its functions. */
const PLAN = 44;

/** How many images some functions need in each way, and which share one where prefixes are enough. */
export function sharingLines(
  arch: ArchName,
  functions: readonly { readonly name: string; readonly signature: Signature }[],
): string[] {
  const models = functions.map(({ signature }) => signature);
  const numbers = ASKED.map(({ name, how }) => {
    const { trampolines } = trampolinesNeeded(models, arch, how);
    return `  ${String(trampolines).padStart(4)}  ${name}`;
  });
  return [
    `${arch}: ${counted(functions.length, 'function')} need these numbers of trampolines`,
    ...numbers,
    '',
    'where prefixes are enough, an image prepares for',
    ...classLines(trampolinesNeeded(models, arch, PREFIX), functions),
  ];
}

function classLines({ classes }: Needed, functions: readonly { readonly name: string }[]): string[] {
  return classes.flatMap(({ plan, members }) => {
    const plans = wrap(plan.join(' ') || 'no argument', PLAN - 2);
    const names = wrap(members.map((i) => item(functions, i).name).join(' '), 80 - PLAN - 2);
    const lines = Math.max(plans.length, names.length);
    return Array.from({ length: lines }, (_, i) =>
      `  ${(plans[i] ?? '').padEnd(PLAN)}${names[i] ?? ''}`.trimEnd(),
    );
  });
}

/** The same for `--json`: every way, with its classes. */
export function sharingJson(
  arch: ArchName,
  functions: readonly { readonly name: string; readonly signature: Signature }[],
) {
  const models = functions.map(({ signature }) => signature);
  return ASKED.map(({ how }) => {
    const { trampolines, classes } = trampolinesNeeded(models, arch, how);
    return {
      how,
      trampolines,
      classes: classes.map(({ plan, members }) => ({
        plan,
        functions: members.map((i) => item(functions, i).name),
      })),
    };
  });
}

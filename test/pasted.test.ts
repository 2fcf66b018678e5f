import { describe, expect, test } from 'vitest';
import { withCommands } from '../counterexamples/report-commands.ts';
import { attachcheck, words } from './console.ts';
import { sources } from './sources.ts';
import { THOROUGH } from './thorough.ts';

/** A command that a report prints, and the report up to its commands. */
interface Printed {
  readonly path: string;
  readonly search: string;
  readonly report: string;
}

const PRINTED = sources('.trace').flatMap(({ path, text }): Printed[] => {
  let search: string | undefined;
  withCommands(text, (command, label) => {
    if (label === 'search') search = command;
    return command;
  });
  const report = text.slice(text.indexOf('\n✗ ') + 1, text.indexOf('\n  replay '));
  return search === undefined ? [] : [{ path, search, report }];
});

/** In `npm test` those that are found soonest: a bug of an image, of a sequence, of an interleaving. */
const SOON = [
  'stack-is-aligned.padding-forgotten',
  'hits-call-each-probe-once.probe-comes-before-its-equals',
  'body-or-replacement-runs-once.extension-is-not-jumped-to',
  'no-torn-instruction.no-sync-after-int3',
];

function isAsked({ path }: Printed): boolean {
  return THOROUGH || SOON.some((soon) => path.includes(soon));
}

describe('the search that a report prints finds its breach, in the same words', () => {
  test.each(PRINTED.filter(isAsked).map((printed) => [printed.path, printed] as const))(
    '%s',
    { timeout: 600_000 },
    async (_, { search, report }) => {
      const { exit, stdout } = await attachcheck(words(search.replace('npm run check -- ', '')));
      expect(stdout.slice(0, report.length)).toBe(report);
      expect(exit).toBe(1);
    },
  );
});

import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundled, removeBundle } from './bundled.ts';
import { asked, isShown, shownCommands, words } from './console.ts';
import { applied, placed } from './example.ts';
import { scratch } from './scratch.ts';
import { sources, TOP } from './sources.ts';

/*
 * Every step of docs/tutorial.md, with its change of the model in a bundle of the program: the tree stays as it is.
 */

const TUTORIAL = sources('docs/tutorial.md')[0]!.text;

/** The files that the reader writes: blocks of text with a name. */
const FILES = [...TUTORIAL.matchAll(/^```text (\S+)\n(.*?)^```$/gms)].map(([, name, text]) => ({
  name: name!,
  text: text!,
}));

/** The change of the model that the reader makes, and takes back with `git checkout`. */
const CHANGE = [...TUTORIAL.matchAll(/^```diff (\S+)\n(.*?)^```$/gms)].map(([, path, diff], i, all) => ({
  path: path!,
  diff: diff!,
  from: all[i]!.index,
  until: TUTORIAL.indexOf(`$ git checkout ${path}\n`),
}))[0]!;

/** The commands whose output is shown, and whether the model is changed when they run. */
const COMMANDS = [...TUTORIAL.matchAll(/^```console\n.*?^```$/gms)].flatMap(({ 0: block, index }) =>
  shownCommands(block)
    .filter(({ output }) => output.length > 0)
    .map((shown) => ({ ...shown, isChanged: index > CHANGE.from && index < CHANGE.until })),
);

const { file, path } = scratch();
let changed = '';

beforeAll(async () => {
  for (const { name, text } of FILES) file(name, text);
  const source = sources(CHANGE.path)[0]!.text;
  const module = file('changed.mts', placed(applied(source, CHANGE.diff), dirname(CHANGE.path)));
  changed = await bundled({ file: 'main.ts' }, { inPlaceOf: { [CHANGE.path]: module } });
});

afterAll(() => removeBundle(changed));

/** What `npm run check -- ARGS` prints, with the reader's files where it runs. */
async function printed(args: readonly string[], inChanged: boolean): Promise<string> {
  const own = args.map((arg) => (FILES.some(({ name }) => name === arg) ? path(arg) : arg));
  if (!inChanged) return (await asked(own)).answer.text;
  const { stdout } = spawnSync(process.execPath, [changed, '--no-save', ...own], {
    cwd: TOP,
    encoding: 'utf8',
  });
  return stdout;
}

describe('the tutorial', () => {
  test('changes one step, and takes it back', () => {
    expect(CHANGE.until).toBeGreaterThan(CHANGE.from);
    expect(COMMANDS.filter(({ isChanged }) => isChanged).length).toBeGreaterThanOrEqual(3);
    expect(FILES.map(({ name }) => name)).toEqual(['refused.calls', 'refused.scenario']);
  });

  test.each(COMMANDS.map((shown, i) => [i + 1, shown.command, shown] as const))(
    'command %i: %s',
    async (_, command, { output, isChanged }) => {
      const [npm, run, check, dashes, ...args] = words(command);
      expect([npm, run, check, dashes]).toEqual(['npm', 'run', 'check', '--']);
      const text = await printed(args, isChanged);
      if (!isShown(text, output)) expect(text).toBe(output.join('\n'));
    },
  );
});

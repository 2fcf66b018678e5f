import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runSequence } from '../checker/sequences/run-sequence.ts';
import { searchToEnd } from '../checker/sequences/search.ts';
import { KNOWN_ATTACH } from '../conformance/known/attach-all.ts';
import { KERNELS } from '../model/core/profile.ts';
import { FTRACE_OPS_FL_ADDING } from '../model/ftrace/ops.ts';
import { KERNEL_PROGRAM, linkKernel } from '../model/step.ts';
import { ATTACH_LAWS } from '../properties/attach-laws.ts';
import type { AttachLaw } from '../properties/law/sequence-law.ts';
import { F1 } from '../properties/planted/sequences/actions.ts';
import type { AttachPlanted } from '../properties/planted/sequences/planted.ts';
import { compilerMessages, examplesOf, placed } from './example.ts';
import { scratch } from './scratch.ts';
import { TOP } from './sources.ts';
import { THOROUGH } from './thorough.ts';

const { text: DOCUMENT, examples: EXAMPLES } = examplesOf('adding-a-law.md');
const [TAG = '', WORDS = '', LAW = '', PLANTED = ''] = EXAMPLES;
const NAME = 'registered-ops-are-settled';
const FILES = {
  'properties/finding/state-finding.ts': inserted(
    'properties/finding/state-finding.ts',
    'export type StateFinding =\n',
    TAG,
  ),
  'properties/finding/state-words.ts': inserted(
    'properties/finding/state-words.ts',
    'Words<StateFinding> = {\n',
    WORDS,
  ).replace(/^/, "import { printOpsFlags } from '../../model/ftrace/ops.ts';\n"),
  [`properties/ftrace/${NAME}.ts`]: LAW,
  'properties/planted/sequences/adding-is-never-over.ts': PLANTED,
};

const { file } = scratch();
let law: AttachLaw;
let planted: AttachPlanted;

/** A file of the project with lines after some others. */
function inserted(path: string, behind: string, lines: string): string {
  const text = readFileSync(join(TOP, path), 'utf8');
  expect(text).toContain(behind);
  return text.replace(behind, () => `${behind}${lines}`);
}

/** Both files stand outside of the project, and import as if they stood where they belong. */
beforeAll(async () => {
  const lawFile = file('law.mts', placed(LAW, 'properties/ftrace'));
  const own = PLANTED.replace(`'../../ftrace/${NAME}.ts'`, `'${lawFile}'`);
  const plantedFile = file('planted.mts', placed(own, 'properties/planted/sequences'));
  ({ registeredOpsAreSettled: law } = await import(/* @vite-ignore */ lawFile));
  ({ addingIsNeverOver: planted } = await import(/* @vite-ignore */ plantedFile));
});

describe('the example of a law', () => {
  test('compiles, with its planted bug, and not without its witness', () => {
    expect(EXAMPLES).toHaveLength(4);
    const without = LAW.replace(/^ {2}witness: .*\n/m, '');
    const messages = compilerMessages({ ...FILES, 'properties/ftrace/without-a-witness.ts': without });
    expect(messages).toEqual([expect.stringContaining("'witness'")]);
  });

  test.each(KERNELS)('holds on random sequences of %s, and has a say in most of them', (profile) => {
    const search = {
      profile,
      seed: 1,
      sequences: THOROUGH ? 50 : 16,
      known: KNOWN_ATTACH,
      program: KERNEL_PROGRAM,
    };
    const { found, witnesses } = searchToEnd({ ...search, laws: [law] });
    expect(found).toBeUndefined();
    expect(witnesses.get(law.name)).toBeGreaterThan(THOROUGH ? 25 : 8);
  });

  test('finds its planted bug, which shrinks to the smallest sequence', () => {
    const program = linkKernel(planted.edits);
    const { found } = searchToEnd({
      profile: planted.profile,
      seed: 1,
      sequences: 100,
      laws: [law],
      program,
    });
    expect(found?.case.actions).toEqual(planted.smallest);
    expect(found?.breach.finding).toEqual({
      is: 'ops-is-under-way',
      ops: 'kprobe_ftrace_ops',
      flags: FTRACE_OPS_FL_ADDING,
    });
  });

  test('catches what no law of the board says of that sequence', () => {
    const { profile, edits, smallest } = planted;
    const sequence = { profile, functions: [F1], actions: smallest };
    expect(runSequence(sequence, { laws: ATTACH_LAWS, program: linkKernel(edits) }).breach).toBeUndefined();
  });

  test('would find a refused ops if it were about all of them', () => {
    const tooStrong: AttachLaw = {
      ...law,
      judge: (moment) => {
        const { ops } = moment.after.ftrace;
        const all = Object.fromEntries(
          Object.entries(ops).map(([name, item]) => [name, { ...item, flags: item.flags | 1 }]),
        );
        const ftrace = { ...moment.after.ftrace, ops: all };
        return law.judge({ ...moment, after: { ...moment.after, ftrace } });
      },
    };
    const { found } = searchToEnd({
      profile: '6.12',
      seed: 2,
      sequences: 1000,
      laws: [tooStrong],
      known: KNOWN_ATTACH,
      program: KERNEL_PROGRAM,
    });
    const refused = found?.case.actions.at(-1)?.do;
    expect(['register_ftrace_function', 'register_ftrace_direct']).toContain(refused);
    expect(found?.breach.finding).toMatchObject({ flags: FTRACE_OPS_FL_ADDING });
    expect(DOCUMENT).toContain('a refused live patch or direct call that keeps');
  });
});

import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOn } from '../checker/cost/client.ts';
import { massCost } from '../checker/cost/mass-cost.ts';
import { searchToEnd } from '../checker/sequences/search.ts';
import { designModule, designTest, namesOf } from '../commands/new/design-skeleton.ts';
import { KNOWN_ATTACH } from '../conformance/known/attach-all.ts';
import { EXIT } from '../counterexamples/answer.ts';
import type { Unregister } from '../model/core/register.ts';
import { KERNEL_PROGRAM, registerDesign } from '../model/step.ts';
import { Rig } from '../model/testing/attach-rig.ts';
import { DESIGNS } from '../model/trampoline/designs/all.ts';
import type { Design } from '../model/trampoline/designs/design.ts';
import { tracedFunction } from '../model/trampoline/traced-function.ts';
import { ATTACH_LAWS } from '../properties/attach-laws.ts';
import { examplesOf, messagesByFile, placed } from './example.ts';
import { scratch } from './scratch.ts';
import { TOP } from './sources.ts';
import { THOROUGH } from './thorough.ts';

const { text: DOCUMENT, examples: EXAMPLES } = examplesOf('adding-a-design.md');
const [EXAMPLE = ''] = EXAMPLES;
const FOLDER = 'model/trampoline/designs';
const PROFILE = '6.12, multiLinks = in order';

const { file } = scratch();
let example: Design;
let unregister: Unregister;

/** The module is outside of the project, and imports as if it were next to the other designs. */
beforeAll(async () => {
  const made = file('in-order.mts', placed(EXAMPLE, FOLDER));
  ({ inOrder: example } = await import(/* @vite-ignore */ made));
  unregister = registerDesign(example);
});

afterAll(() => unregister());

test('the example compiles, and what new design writes, in the tree and as a project; a mistake does not', () => {
  const names = namesOf('two at once');
  const project = designTest(names, 'package').replace("import './two-at-once.ts';", '');
  const sound = {
    [`${FOLDER}/two-at-once.ts`]: designModule(names, 'model'),
    [`${FOLDER}/two-at-once.test.ts`]: designTest(names, 'model'),
    'examples/two-at-once.ts': designModule(names, 'package'),
    'examples/two-at-once.spec.ts': project,
    [`${FOLDER}/in-order.ts`]: EXAMPLE,
  };
  const wrong = EXAMPLE.replace("'none'", '0');
  expect(messagesByFile({ ...sound, [`${FOLDER}/out-of-order.ts`]: wrong })).toEqual([
    ...Object.keys(sound).map(() => []),
    ["Type 'number' is not assignable to type 'string'."],
  ]);
});

describe('the example of a design', () => {
  test('is one, and has less than 80 lines', () => {
    expect(EXAMPLES).toHaveLength(1);
    expect(EXAMPLE.trimEnd().split('\n').length).toBeLessThan(80);
  });

  test('holds all laws on random sequences, and its links attach', () => {
    let attached = 0;
    const searched = searchToEnd({
      profile: PROFILE,
      seed: 2,
      sequences: THOROUGH ? 100 : 20,
      laws: ATTACH_LAWS,
      known: KNOWN_ATTACH,
      program: KERNEL_PROGRAM,
      watch: {
        step: ({ routine, id }) => {
          if (routine === 'bpf_link_in_order' && id === 'note it: linked') attached++;
        },
      },
    });
    expect(searched.found?.breach.law.name).toBeUndefined();
    expect(attached).toBeGreaterThan(5);
  });

  test('attaches to nothing when one of its functions is refused', () => {
    const rig = new Rig(PROFILE, [
      tracedFunction('f1', 1, 'u64 -> u64'),
      tracedFunction('f13', 2, 'u64 x13 -> u64'),
    ]);
    rig.load(1, 'fentry', '', { multi: true });
    const link = { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1 } as const;
    expect(rig.answer({ ...link, targets: ['f1', 'f13'] })).toBe('EINVAL');
    expect(rig.k.bpf.imagesMade).toBe(0);
    expect(rig.answer({ ...link, targets: ['f1'] })).toBe(0);
    expect(rig.call('f1').who).toEqual(['prog#1', 'f1']);
    expect(rig.close(1)).toEqual([]);
    expect(rig.call('f1').who).toEqual(['f1']);
  });

  test('is compared with the others', () => {
    const costs = ['one by one', 'in order'].map((name) => massCost(clientOn(name, '6.12') as never, 8));
    const [known, own] = costs as { attach: Record<string, number>; detach: Record<string, number> }[];
    const copied = known!.attach['entries copied']! + 8;
    expect(own).toEqual({ ...known, attach: { ...known!.attach, 'entries copied': copied } });
    expect(example.name).toBe('in order');
  });
});

/** The document's last command, with the module from outside: it is the same design, and its rollback is left out. */
test.runIf(THOROUGH)('the last command finds a fault of it, and with --first ends there', () => {
  const [, command = ''] = /npm run check -- ([^`\n]*)\n```\n$/.exec(DOCUMENT) ?? [];
  const hasty = EXAMPLE.replace(/leave\(words, \(_, \{ linked \}\) => linked.*\),/, '[],');
  expect(hasty).not.toBe(EXAMPLE);
  const register = `import { registerDesign } from '../../step.ts';\n${hasty}\nregisterDesign(inOrder);\n`;
  const made = file('hasty.ts', placed(register, FOLDER));
  const line = `'${process.execPath}' commands/program/start.mjs --with ${made} --no-save ${command} --first`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', line], { cwd: TOP, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(EXIT.BROKEN);
  expect(stdout).toContain('kernel 6.12, multiLinks = in order');
  expect(stdout).not.toContain('interleavings of');
});

test('the document has a row for each design', () => {
  const named = [...DOCUMENT.matchAll(/^\| `([^`]+)` \| /gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(
    DESIGNS.filter((design) => design !== example)
      .map(({ name }) => name)
      .toSorted(),
  );
});

import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Unregister } from '../../library.ts';
import { act, boot, call, judge, parseSequence } from '../../library.ts';
import { placed } from '../../test/example.ts';
import { scratch } from '../../test/scratch.ts';
import { TOP } from '../../test/sources.ts';
import { designModule, namesOf } from './design-skeleton.ts';
import { newDesign } from './new-design.ts';

const { path, file } = scratch();
const FOLDER = 'model/trampoline/designs';

/** Registers the design that is written for a project, for all tests of this process. */
async function registered(made: string, name: string): Promise<Unregister> {
  const kept = made.replace(/^registerDesign\(/m, 'export const unregister = registerDesign(');
  const text = placed(kept.replaceAll("'attachcheck'", "'./library.ts'"), '');
  const own: { unregister: Unregister } = await import(/* @vite-ignore */ file(name, text));
  let isThere = true;
  const unregister = () => {
    if (isThere) own.unregister();
    isThere = false;
  };
  onTestFinished(unregister);
  return unregister;
}

/** A copy of the files of the tree that a new design changes. */
function treeWithLists(): string {
  const tree = path('tree');
  for (const name of [`${FOLDER}/all.ts`, 'docs/adding-a-design.md', 'model/README.md']) {
    mkdirSync(dirname(join(tree, name)), { recursive: true });
    cpSync(join(TOP, name), join(tree, name));
  }
  return tree;
}

describe('a new design', () => {
  test('in the tree is a module, its test and a line of each list, and says the next command', () => {
    const tree = treeWithLists();
    const { text } = newDesign('two at once', { tree });
    expect(text.replaceAll(`${tree}/`, '')).toBe(`wrote   ${FOLDER}/two-at-once.ts
wrote   ${FOLDER}/two-at-once.test.ts
changed ${FOLDER}/all.ts
changed docs/adding-a-design.md
changed model/README.md

next: npm run check -- --kernel 'two at once'
      npm test -- ${FOLDER}/two-at-once.test.ts
      UPDATE=1 npm run designs   (its column in docs/designs.md)

It attaches as single links do, and says so (like: 'one by one'): their known
breaches are listed for it, too. Drop the field when it attaches in another way.`);
    const list = readFileSync(join(tree, FOLDER, 'all.ts'), 'utf8').split('\n');
    expect(list.filter((line) => line.includes('twoAtOnce'))).toEqual([
      "import { twoAtOnce } from './two-at-once.ts';",
      '  twoAtOnce,',
    ]);
    expect(readFileSync(join(tree, 'docs/adding-a-design.md'), 'utf8')).toContain('\n| `two at once` |');
    expect(() => newDesign('two at once', { tree })).toThrow('two-at-once.ts exists already');
  });

  test('outside is a project, whose module registers a design that breaks no law', async () => {
    const folder = path('outside');
    const { text } = newDesign('two at once', { folder });
    expect(text).toContain('next: cd two-at-once && npm install && npm start');
    const made = readFileSync(join(folder, 'two-at-once/two-at-once.ts'), 'utf8');
    await registered(made, 'made.mts');
    const kernel = '6.12, multiLinks = two at once';
    const lines = `kernel ${kernel}\n\nf1 = function(u64 -> u64)\nf2 = function(u64 x2 -> u64)\nprog#1 = BPF_PROG_LOAD(fexit multi)
link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 })\ntask#1 calls f2(0x1, 0x2)\nclose(link#1)\n`;
    expect(judge(parseSequence(lines))).toMatchObject({ answers: ['0', '0', '', '0'], broken: [] });
    const functions = ['f1 = function(u64 -> u64)', 'f13 = function(u64 x13 -> u64)'];
    const loaded = act(boot(kernel, functions), 'prog#1 = BPF_PROG_LOAD(fentry multi)').kernel;
    const refused = act(loaded, 'link#1 = BPF_LINK_CREATE(prog#1, { f1, f13 })');
    expect(refused.outcome.errno).not.toBe(0);
    expect(call(refused.kernel, 'f1(0x1)').events.map(({ who }) => who)).toEqual(['f1']);
  });

  test('outside says already that nothing reads its TypeScript, where that is so', () => {
    const { text } = newDesign('two at once', { folder: path('unread'), lacks: 'npm install tsx' });
    expect(text).toContain('\nwithout npm install there, --with two-at-once.ts fails: npm install tsx\n');
    expect(newDesign('two at once', { folder: path('read') }).text).not.toContain('--with');
  });

  test('has what single links are known to break, and no mistake of its own', async () => {
    const kernel = '6.12, multiLinks = two at once';
    const refused = parseSequence(`kernel ${kernel}\n\nf1 = function(u64 -> u64)\nf2 = function(u64 -> u64)
prog#1 = BPF_PROG_LOAD(fentry multi)\nftrace_set_filter_ip(direct#1, f2)\nregister_ftrace_direct(direct#1, my_tramp1)
sysctl kernel.ftrace_enabled=0\nlink#1 = BPF_LINK_CREATE(prog#1, { f1, f2 })\n`);
    const law = 'ftrace/failed-calls-have-no-effect';
    const made = designModule(namesOf('two at once'), 'package');
    const unregister = await registered(made, 'plain.mts');
    expect(judge(refused).broken).toMatchObject([{ law, step: 5, known: 'rollback-keeps-regs' }]);
    unregister();
    const hasty = made.replace(/leave\(\s*words,\s*\(_, \{ linked \}\) => linked,[\s\S]*?\n {6}\),/, '[],');
    expect(hasty).not.toBe(made);
    await registered(hasty, 'hasty.mts');
    expect(judge(refused).broken).toContainEqual(expect.objectContaining({ law, step: 5, known: undefined }));
  });

  test.each([
    ['batch', 'a design batch exists already'],
    ['none', 'a design none exists already'],
    ['Two', '"Two" is not a name of a design'],
    ['../two', '"../two" is not a name of a design'],
    ['two, linksMax = 3', '"two, linksMax = 3" is not a name of a design'],
  ])('is refused by the name of %s, and writes nothing', (name, why) => {
    expect(() => newDesign(name, { folder: path('refused') })).toThrow(why);
    expect(existsSync(path('refused'))).toBe(false);
  });
});

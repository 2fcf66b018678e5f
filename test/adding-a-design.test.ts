import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Design } from '../model/trampoline/designs/design.ts';
import { compilerMessages, examplesOf, placed } from './example.ts';
import { scratch } from './scratch.ts';

const { text: DOCUMENT, examples: EXAMPLES } = examplesOf('adding-a-design.md');
const [EXAMPLE = ''] = EXAMPLES;
const FOLDER = 'model/trampoline/designs';
const LIST = '../model/trampoline/designs/all.ts';
const PROFILE = '6.12, multiLinks = in order';

const { file } = scratch();
let example: Design;

/** The module stands outside of the project, and imports as if it stood beside the other designs. */
beforeAll(async () => {
  const made = file('in-order.ts', placed(EXAMPLE, FOLDER));
  vi.resetModules();
  vi.doMock(LIST, async () => {
    const { inOrder } = (await import(/* @vite-ignore */ made)) as { inOrder: Design };
    const { DESIGNS } = await vi.importActual<{ DESIGNS: readonly Design[] }>(LIST);
    return { DESIGNS: [...DESIGNS, inOrder] };
  });
  const { DESIGNS } = (await import('../model/trampoline/designs/all.ts')) as { DESIGNS: readonly Design[] };
  example = DESIGNS.at(-1)!;
});

afterAll(() => {
  vi.doUnmock(LIST);
  vi.resetModules();
});

describe('the example of a design', () => {
  test('is one, has less than 80 lines, and compiles', () => {
    expect(EXAMPLES).toHaveLength(1);
    expect(EXAMPLE.trimEnd().split('\n').length).toBeLessThan(80);
    expect(compilerMessages({ [`${FOLDER}/in-order.ts`]: EXAMPLE })).toEqual([]);
    expect(compilerMessages({ [`${FOLDER}/in-order.ts`]: EXAMPLE.replace("'none'", '0') })).toEqual([
      "Type 'number' is not assignable to type 'string'.",
    ]);
  });

  test('holds all laws on random sequences, and its links attach', async () => {
    const { searchToEnd } = await import('../checker/sequences/search.ts');
    const { ATTACH_LAWS } = await import('../properties/attach-laws.ts');
    const { KNOWN_ATTACH } = await import('../conformance/known/attach-all.ts');
    const { KERNEL_PROGRAM } = await import('../model/step.ts');
    let attached = 0;
    const searched = searchToEnd({
      profile: PROFILE,
      seed: 1,
      sequences: 100,
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
    expect(attached).toBeGreaterThan(10);
  });

  test('attaches to nothing when one of its functions is refused', async () => {
    const { Rig } = await import('../model/testing/attach-rig.ts');
    const { tracedFunction } = await import('../model/trampoline/traced-function.ts');
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

  test('is compared with the others', async () => {
    const { clientOn } = await import('../checker/cost/client.ts');
    const { massCost } = await import('../checker/cost/mass-cost.ts');
    const costs = ['one by one', 'in order'].map((name) => massCost(clientOn(name, '6.12') as never, 8));
    const [known, own] = costs as { attach: Record<string, number>; detach: Record<string, number> }[];
    const copied = known!.attach['entries copied']! + 8;
    expect(own).toEqual({ ...known, attach: { ...known!.attach, 'entries copied': copied } });
    expect(example.name).toBe('in order');
  });
});

test('the document has a row for each design', async () => {
  const { DESIGNS } = await vi.importActual<{ DESIGNS: readonly Design[] }>(LIST);
  const named = [...DOCUMENT.matchAll(/^\| `([^`]+)` \| /gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(DESIGNS.map(({ name }) => name).toSorted());
});

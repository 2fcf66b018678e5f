import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { applied, compilerMessages, placed } from './example.ts';
import { scratch } from './scratch.ts';
import { sources } from './sources.ts';

const { text: DOCUMENT } = sources('adding-a-profile.md')[0]!;
const [, DIFF = ''] = /^```diff\n(.*?)^```$/ms.exec(DOCUMENT) ?? [];
const PROFILE_FILE = 'model/core/profile.ts';
const PROFILE_TEXT = sources('profile.ts').find(({ path }) => path === PROFILE_FILE)!.text;
const NAME = '6.12-skip';

const { file } = scratch();

beforeAll(() => {
  const made = file('profile.ts', placed(applied(PROFILE_TEXT, DIFF), 'model/core'));
  vi.resetModules();
  vi.doMock('../model/core/profile.ts', () => import(/* @vite-ignore */ made));
});

afterAll(() => {
  vi.doUnmock('../model/core/profile.ts');
  vi.resetModules();
});

describe('the example of a kernel', () => {
  test('compiles, and nothing else has to know of it', () => {
    const text = applied(PROFILE_TEXT, DIFF);
    const users = sources('.ts').filter(
      ({ path, text: code }) => path !== PROFILE_FILE && /PREFERRED|KERNELS/.test(code),
    );
    const own = users.filter(({ path }) => !path.endsWith('.test.ts') && path !== 'main.ts');
    const files = Object.fromEntries(own.map(({ path, text: code }) => [path, code]));
    expect(own.length).toBeGreaterThan(5);
    expect(compilerMessages({ ...files, [PROFILE_FILE]: text })).toEqual([]);
    const wrong = text.replace(`kernel: '${NAME}'`, "kernel: '6.13'");
    expect(compilerMessages({ [PROFILE_FILE]: wrong })[0]).toContain('"6.13"');
  });

  test('carries two programs less, and skips one that leaves', async () => {
    const { Rig } = await import('../model/testing/attach-rig.ts');
    const { apply, KERNEL_PROGRAM } = await import('../model/step.ts');
    const { tracedFunction } = await import('../model/trampoline/traced-function.ts');
    const rig = new Rig(NAME, [tracedFunction('f1', 1, 'u64 -> u64')]);
    const linked = Array.from({ length: 37 }, (_, i) => {
      rig.load(i + 1, 'fentry', 'f1');
      return rig.link(i + 1);
    });
    expect(linked).toEqual([...Array.from({ length: 36 }, () => 0), 'E2BIG']);
    const routines = new Set<string>();
    const step = ({ routine }: { routine: string }) => void routines.add(routine);
    apply(rig.k, { do: 'close(link)', link: 'link#1' }, KERNEL_PROGRAM, { step });
    expect(routines).toContain('bpf_trampoline_skip_prog');
  });

  test('keeps all laws but for what its neighbours are known to break', async () => {
    const { searchToEnd } = await import('../checker/sequences/search.ts');
    const { ATTACH_LAWS } = await import('../properties/attach-laws.ts');
    const { KNOWN_ATTACH } = await import('../conformance/known/attach-all.ts');
    const { KERNEL_PROGRAM } = await import('../model/step.ts');
    const known = KNOWN_ATTACH.map((entry) =>
      entry.kernels.some((kernel) => kernel !== '6.1')
        ? { ...entry, kernels: [...entry.kernels, NAME as never] }
        : entry,
    );
    const { found, sequences } = searchToEnd({
      profile: NAME,
      seed: 1,
      sequences: 80,
      laws: ATTACH_LAWS,
      known,
      program: KERNEL_PROGRAM,
    });
    expect(found?.breach.law.name).toBeUndefined();
    expect(sequences).toBe(80);
  });

  test('is drawn among the others', async () => {
    const { PREFERRED } = await import('../model/core/profile.ts');
    expect(PREFERRED).toContain(NAME);
  });
});

test('a line that is not there is told', () => {
  expect(() => applied('a\nb\n', '-c\n+d\n')).toThrow('there are 0 lines c');
  expect(applied('a\nb\n', '-b\n+c\n+d\n')).toBe('a\nc\nd\n');
});

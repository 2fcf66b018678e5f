import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { searchToEnd } from '../checker/sequences/search.ts';
import { KNOWN_ATTACH } from '../conformance/known/attach-all.ts';
import { registerProfile } from '../model/core/profile.ts';
import type { Unregister } from '../model/core/register.ts';
import { apply, KERNEL_PROGRAM } from '../model/step.ts';
import { Rig } from '../model/testing/attach-rig.ts';
import { tracedFunction } from '../model/trampoline/traced-function.ts';
import { ATTACH_LAWS } from '../properties/attach-laws.ts';
import { applied, messagesByFile, placed } from './example.ts';
import { scratch } from './scratch.ts';
import { sources } from './sources.ts';

const { text: DOCUMENT } = sources('adding-a-profile.md')[0]!;
const [, DIFF = ''] = /^```diff\n(.*?)^```$/ms.exec(DOCUMENT) ?? [];
const PROFILE_FILE = 'model/core/profile.ts';
const PROFILE_TEXT = sources('profile.ts').find(({ path }) => path === PROFILE_FILE)!.text;
const NAME = '6.12-skip';

const { file } = scratch();
let made: typeof import('../model/core/profile.ts');
let unregister: Unregister;

/** The changed table stands outside of the project; what it has more is registered beside the kernel that it was made from. */
beforeAll(async () => {
  const path = file('profile.mts', placed(applied(PROFILE_TEXT, DIFF), 'model/core'));
  made = await import(/* @vite-ignore */ path);
  unregister = registerProfile(NAME, { ...made.profileNamed(NAME), kernel: '6.12' });
});

afterAll(() => unregister());

describe('the example of a kernel', () => {
  test('compiles', () => {
    const text = applied(PROFILE_TEXT, DIFF);
    const messages = messagesByFile({
      [PROFILE_FILE]: text,
      'model/core/wrong-profile.ts': text.replace(`kernel: '${NAME}'`, "kernel: '6.13'"),
    });
    expect(messages[0]).toEqual([]);
    expect(messages[1]?.[0]).toContain('"6.13"');
  });

  test('carries two programs less, and skips one that leaves', () => {
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

  test('keeps all laws but for what 6.12 is known to break', () => {
    const { found, sequences } = searchToEnd({
      profile: NAME,
      seed: 1,
      sequences: 30,
      laws: ATTACH_LAWS,
      known: KNOWN_ATTACH,
      program: KERNEL_PROGRAM,
    });
    expect(found?.breach.law.name).toBeUndefined();
    expect(sequences).toBe(30);
  });

  test('is drawn among the others', () => {
    expect(made.PREFERRED).toContain(NAME);
  });
});

test('a missing line is reported', () => {
  expect(() => applied('a\nb\n', '-c\n+d\n')).toThrow('there are 0 lines c');
  expect(applied('a\nb\n', '-b\n+c\n+d\n')).toBe('a\nc\nd\n');
});

import { describe, expect, test } from 'vitest';
import type { BootName, KernelVersion } from '../../model/core/profile.ts';
import { PROFILES } from '../../model/core/profile.ts';
import { parsePrograms } from '../../model/trampoline/program-text.ts';
import { parseSignature } from '../../model/trampoline/signature.ts';
import { KERNEL } from '../../properties/observed/subject.ts';
import type { CaseOutcome, ImageCase } from './case.ts';
import { mutantsOf, runInKernel } from './mutation-rig.ts';

interface Around {
  readonly boot?: BootName;
  readonly ibt?: boolean;
  readonly livePatch?: boolean;
  readonly tailCalls?: boolean;
}

function caseOf(kernel: KernelVersion, signature: string, programs: string, around: Around = {}): ImageCase {
  const { args, ret } = parseSignature(signature);
  return {
    kernel,
    boot: around.boot ?? 'default',
    ibt: around.ibt ?? PROFILES[kernel].ibt,
    args: args.map(({ name }) => name),
    ret: ret.name,
    programs: parsePrograms(programs),
    ipmodify: around.livePatch ?? false,
    tailCalls: around.tailCalls ?? false,
  };
}

/** Between them they have every operation of a plan. */
const CASES: readonly ImageCase[] = [
  caseOf('7.2', 'u64 x9, s16b, u8 -> u64', 'fentry cookie=0x1 get_func_ip, fexit sleepable, fmod_ret'),
  caseOf('6.12', 'u64 x6, u8 -> u64', 'fexit'),
  caseOf('6.12', 'u64 x7 -> u64', 'fexit get_func_ip', { boot: 'stuff' }),
  caseOf(
    '7.2',
    'u64 x3 -> u64',
    'fsession session_cookie, fexit cookie=0x5, fsession session_cookie, fentry',
  ),
  caseOf('7.2', 'u64 x8 -> u64', 'fexit, fmod_ret', { livePatch: true }),
  caseOf('6.1', 'u64 x4 -> u64', 'fexit, fentry', { boot: 'unret', ibt: true }),
  caseOf('6.12', 'u64 x2 -> u64', 'fexit, fentry', { tailCalls: true }),
  caseOf('6.1', 'u64 x2 -> u64', 'fmod_ret'),
  caseOf('6.12', 'u64 x2 -> u64', 'fentry', { tailCalls: true }),
  caseOf('6.12', '-> u64', 'fentry'),
];

/**
 * Mutations that no law notices, and why that is right. Everything else has to break a law, or be
 * refused by the generator.
 */
const EQUIVALENT: Readonly<Record<string, string>> = {
  'without after-call nop: nop5': 'nothing can be patched, so nothing goes wrong when it is',
  'without skip nop: nop5': 'the same',
  'without clear garbage: clear32':
    'of the original\u2019s copy: the upper half of a narrow argument may hold anything',
  '8 bytes off clear garbage: clear32': 'of the original\u2019s copy: it clears a word that is padding',
  '8 bytes off open frame: lower':
    'without stack arguments the stack need not be aligned; a word is left unused',
  'without store cookie: store': 'a program before it has stored the same cookie, zero',
  '8 bytes off store cookie: store': 'the same, and the word after it is overwritten by enter',
  '-8 bytes off store cookie: store': 'the same, and nothing lives in the word before it',
  'without clear session: constant': 'rax is zero already',
  'without store session state: constant': 'rax is what is to be stored already, or it is stored over',
  'one more in store session state: constant': 'the first session stores its own over it',
  'without store session state: store': 'the first session stores its own over it',
  'without leave image: label': 'nothing branches to it',
  'without begin exit part: align': 'alignment is for speed',
  'without endbr: endbr': 'an image is entered by a direct branch',
};

describe('every single fault in a plan breaks a law', () => {
  const met = new Set<string>();

  test.each(
    CASES.map(
      (c) =>
        [
          `${c.kernel} ${c.boot} ${c.args.length} arguments, ${c.programs.map(({ kind }) => kind)}`,
          c,
        ] as const,
    ),
  )('%s', (_, c) => {
    const survivors: string[] = [];
    expect(runInKernel(KERNEL, c)?.verdict).toMatchObject({ breach: undefined });
    for (const [name, tools] of mutantsOf(c)) if (!isNoticed(runInKernel(tools, c))) survivors.push(name);
    for (const name of survivors) met.add(name);
    expect(survivors.filter((name) => EQUIVALENT[name] === undefined)).toEqual([]);
  });

  test('the list of those that change nothing is not longer than it has to be', () => {
    expect([...met].sort()).toEqual(Object.keys(EQUIVALENT).sort());
  });
});

/** Whether a law is broken, the image is refused, or its branches lead nowhere. */
function isNoticed(outcome: CaseOutcome | undefined): boolean {
  return outcome?.verdict === undefined || outcome.verdict.breach !== undefined;
}

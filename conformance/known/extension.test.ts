import { describe, expect, test } from 'vitest';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import type { Action } from '../../model/client/all.ts';
import { plainProgram } from '../../model/trampoline/program.ts';
import { targetProgram } from '../../model/trampoline/traced-function.ts';
import { fromNumber, ZERO } from '../../model/x86/word.ts';
import { rendered } from '../../properties/finding/render.ts';
import { bodyOrReplacementRunsOnce } from '../../properties/ftrace/body-or-replacement-runs-once.ts';
import { callbacksSeeTheCallersArguments } from '../../properties/ftrace/callbacks-see-the-callers-arguments.ts';
import { callerGetsTheReturnValue } from '../../properties/ftrace/caller-gets-the-return-value.ts';
import { failedCallsHaveNoEffect } from '../../properties/ftrace/failed-calls-have-no-effect.ts';
import { noPointerToARetiredImage } from '../../properties/ftrace/no-pointer-to-a-retired-image.ts';
import { probesFireExactlyOnce } from '../../properties/ftrace/probes-fire-exactly-once.ts';
import { callOf } from '../../properties/observed/sample-call.ts';
import { extensionsExcludePrograms } from '../../properties/trampoline/extensions-exclude-programs.ts';
import { KNOWN_TARGETS } from './attach-targets.ts';

const P1 = targetProgram('p1', 1, 'u64 -> u64');
const LOAD: Action = {
  do: 'BPF_PROG_LOAD',
  program: { ...plainProgram(1), kind: 'freplace' },
  target: 'p1',
  probe: '',
  returns: fromNumber(7),
};
const LINK: Action = { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: [] };
const FAIL: Action = { do: 'fail', fault: { what: 'poke', where: 'bpf_arch_text_poke' } };

describe.each(['6.1', '6.12', '7.2'])('%s', (profile) => {
  const sequence = (actions: readonly Action[]) => ({ profile, functions: [P1], actions });

  test('a refused extension keeps its target: a known breach', () => {
    const laws = [failedCallsHaveNoEffect];
    const { breach, known } = runSequence(sequence([LOAD, FAIL, LINK]), { laws, known: KNOWN_TARGETS });
    expect(breach!.finding).toEqual({
      is: 'refusal-leaves-a-trace',
      errno: 'EBUSY',
      changes: [{ place: ['bpf', 'trampolines', 'p1', 'extensionProg'], expected: 0, observed: 1 }],
    });
    expect(known!.name).toBe('extension-that-was-refused-keeps-its-target');
  });

  const leaves: readonly Action[] = [LOAD, LINK, FAIL, { do: 'close(link)', link: 'link#1' }, callOf(P1, 1)];

  test.each([
    [callerGetsTheReturnValue, 'p1 returns 0xacb6ecd91098db34', 'its caller gets 0x7'],
    [bodyOrReplacementRunsOnce, 'a call of p1 runs the body of p1', 'it runs the extension of p1'],
    [probesFireExactlyOnce, 'prog#1 never sees p1 (extension)', 'it does once'],
  ] as const)(
    'an extension that could not be detached still runs: a known breach',
    (law, expected, observed) => {
      const { breach, known } = runSequence(sequence(leaves), { laws: [law], known: KNOWN_TARGETS });
      expect(rendered(breach!.finding)).toEqual({ expected, observed });
      expect(known!.name).toBe(`bpf-program-that-stays-patched-seen-by-${law.name.replace('ftrace/', '')}`);
    },
  );

  const laws = [
    bodyOrReplacementRunsOnce,
    callerGetsTheReturnValue,
    probesFireExactlyOnce,
    callbacksSeeTheCallersArguments,
    extensionsExcludePrograms,
  ];
  test('the image of a program that could not be detached is freed under its site: a known breach until 6.12', () => {
    const load: Action = { ...LOAD, program: plainProgram(1), returns: ZERO };
    const actions = [load, ...leaves.slice(1)];
    const { breach, known } = runSequence(sequence(actions), {
      laws: [noPointerToARetiredImage],
      known: KNOWN_TARGETS,
    });
    const name = 'bpf-program-that-stays-patched-seen-by-no-pointer-to-a-retired-image';
    expect(known?.name).toBe(profile === '7.2' ? undefined : name);
    expect(breach?.finding).toEqual(
      profile === '7.2'
        ? undefined
        : {
            is: 'leads-to-memory-that-left',
            from: { is: 'call site', of: 'p1' },
            page: 'tramp#1',
            state: 'retired',
          },
    );
  });

  test.each(laws.map((law) => [law.name, law] as const))('an extension is a witness of %s', (_, law) => {
    const { breach, witnesses } = runSequence(sequence([LOAD, LINK, callOf(P1, 1)]), { laws: [law] });
    expect(breach).toBeUndefined();
    expect([...witnesses]).toEqual([law]);
  });
});

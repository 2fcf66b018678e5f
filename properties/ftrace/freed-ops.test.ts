import { expect, test } from 'vitest';
import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import { warningText } from '../../model/core/warning-words.ts';
import { innerCallOffset } from '../../model/ftrace/entry/entry-code.ts';
import { Rig } from '../../model/testing/attach-rig.ts';
import { addressOf, branchTarget } from '../../model/text/space.ts';
import { readText } from '../../model/text/text.ts';
import { plainProgram } from '../../model/trampoline/program.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { plus, ZERO } from '../../model/x86/word.ts';
import { ATTACH_LAWS } from '../attach-laws.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { copyKernel } from '../observed/copy-kernel.ts';
import { emptyFilterDoesNotTraceEverything } from './empty-filter-does-not-trace-everything.ts';

/** A trampoline freed while its ops is on the list: bpf_trampoline_put() of 6.12. */
const FREED: AttachCase = {
  profile: '6.12',
  functions: [tracedFunction('f1', 1, 'u64 -> u64')],
  actions: [
    { do: 'BPF_PROG_LOAD', program: plainProgram(1), target: 'f1', probe: '', returns: ZERO },
    { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: [] },
    { do: 'fail', fault: { what: 'allocation', where: 'bpf_trampoline_update' } },
    { do: 'close(link)', link: 'link#1' },
  ],
};

/** A law that reports itself if it has changed the kernel that it checks. */
function untouching(law: AttachLaw): AttachLaw {
  return {
    ...law,
    judge: (moment) => {
      const before = copyKernel(moment.after);
      law.judge(moment);
      expect(moment.after, law.name).toEqual(before);
      return 'not applicable';
    },
  };
}

test('laws examine an ops that is freed on the list, and change nothing', () => {
  const { outcomes } = runSequence(FREED, { laws: ATTACH_LAWS.map(untouching) });
  expect(outcomes.at(-1)?.warnings.map(warningText)).toEqual([
    'a program could not be taken off: ENOMEM (bpf_tracing_link_release)',
  ]);
});

test('an ops that is freed on the list has no filter that became everything', () => {
  expect(runSequence(FREED, { laws: [emptyFilterDoesNotTraceEverything] }).breach).toBeUndefined();
});

test('where the only ops on the list is freed, ftrace_caller is made to call address 0', () => {
  const rig = new Rig('6.12', [tracedFunction('f1', 1, 'u64 -> u64'), tracedFunction('f2', 2, 'u64 -> u64')]);
  for (const [prog, target] of [
    [1, 'f1'],
    [2, 'f2'],
  ] as const) {
    rig.load(prog, 'fentry', target);
    rig.link(prog);
  }
  rig.answer({ do: 'fail', fault: { what: 'allocation', where: 'bpf_trampoline_update' } });
  rig.close(1);
  expect(rig.close(2)).toEqual([]);
  expect(rig.k.ftrace.opsList).toEqual(['tr(f1).fops']);
  const offset = innerCallOffset('ftrace_caller');
  const bytes = readText(rig.k, { kind: 'inner', name: 'ftrace_call', offset }, 5);
  expect(branchTarget(bytes, plus(addressOf(rig.k, 'ftrace_caller'), offset))).toEqual(ZERO);
});

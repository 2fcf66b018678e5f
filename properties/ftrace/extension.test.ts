import { describe, expect, test } from 'vitest';
import type { Action } from '../../model/action.ts';
import { linkKernel } from '../../model/step.ts';
import type { Kind } from '../../model/trampoline/program.ts';
import { plainProgram } from '../../model/trampoline/program.ts';
import { targetProgram } from '../../model/trampoline/traced-function.ts';
import { fromNumber, ZERO } from '../../model/x86/word.ts';
import { callOf } from '../attach/draw.ts';
import type { AttachLaw } from '../attach/moment.ts';
import { runSequence } from '../attach/run-sequence.ts';
import { programsAndImageAgree } from './programs-and-image-agree.ts';
import { whatWasPromisedIsWhatRuns } from './what-was-promised-is-what-runs.ts';

const P1 = targetProgram('p1', 1, 'u64 -> u64');

function load(id: number, kind: Kind): Action {
  const returns = kind === 'freplace' ? fromNumber(7) : ZERO;
  return { do: 'BPF_PROG_LOAD', program: { ...plainProgram(id), kind }, target: 'p1', probe: '', returns };
}

function link(prog: number): Action {
  return { do: 'BPF_LINK_CREATE', link: `link#${prog}`, prog, targets: [] };
}

interface Planted {
  readonly routine: string;
  readonly label: string;
  readonly law: AttachLaw;
  readonly actions: readonly Action[];
  readonly finding: string;
}

/** Parts that are left out, the law that has to see it, and in which words. */
const PLANTED: readonly Planted[] = [
  {
    routine: '__bpf_trampoline_link_prog (extension)',
    label: 'programs are attached to the target',
    law: programsAndImageAgree,
    actions: [load(1, 'fentry'), link(1), load(2, 'freplace'), link(2)],
    finding: 'the extension of p1 is alone / prog#1 is there as well',
  },
  {
    routine: '__bpf_trampoline_link_prog (extension)',
    label: 'bpf_arch_text_poke',
    law: whatWasPromisedIsWhatRuns,
    actions: [load(1, 'freplace'), link(1), callOf(P1, 0)],
    finding: 'a call of p1 runs the extension of p1 / it runs the body of p1',
  },
  {
    routine: '__bpf_trampoline_unlink_prog (extension)',
    label: 'bpf_arch_text_poke',
    law: whatWasPromisedIsWhatRuns,
    actions: [load(1, 'freplace'), link(1), { do: 'close(link)', link: 'link#1' }, callOf(P1, 0)],
    finding: 'a call of p1 runs the body of p1 / it runs the extension of p1',
  },
];

describe.each(PLANTED)('$routine without "$label"', ({ routine, label, law, actions, finding }) => {
  test.each(['6.1', '6.12', '7.2'])('is seen, %s', (profile) => {
    const sequence = { profile, functions: [P1], actions };
    expect(runSequence(sequence, { laws: [law] }).breach).toBeUndefined();
    const program = linkKernel([{ routine, label, replace: () => [] }]);
    const { breach } = runSequence(sequence, { laws: [law], program });
    expect(`${breach!.finding.expected} / ${breach!.finding.observed}`).toBe(finding);
    expect(breach!.at).toBe(actions.length - 1);
  });
});

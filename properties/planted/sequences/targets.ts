import type { Action } from '../../../model/client/all.ts';
import type { Edit } from '../../../model/core/link.ts';
import type { Part } from '../../../model/core/part.ts';
import type { Kernel } from '../../../model/kernel.ts';
import type { BpfProgram } from '../../../model/trampoline/program.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import { functionNamed, listedFunction } from '../../../model/trampoline/traced-function.ts';
import { fromNumber, ZERO } from '../../../model/x86/word.ts';
import { programsFitTheirTarget } from '../../trampoline/programs-fit-their-target.ts';
import { F1, link, load } from './actions.ts';
import { edit } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

/** The verifier refuses none of these programs for a function of the kernel. */
function accepting(isAccepted: (program: BpfProgram, fn: TracedFunction) => boolean): Edit['replace'] {
  return (part) => {
    if (part.kind !== 'refuse') return [part];
    const find: typeof part.find = (k, locals) => {
      const fn = functionNamed((k as Kernel).functions, locals['target'] as string);
      const isKept = fn === undefined || fn.bpf || !isAccepted(locals['program'] as BpfProgram, fn);
      return isKept ? part.find(k, locals) : undefined;
    };
    return [{ ...part, find }];
  };
}

/** A program of BPF LSM for a hook that returns a value. */
function lsmLoad(id: number): Action {
  const { program, ...plain } = load(id, 'fmod_ret');
  return { ...plain, program: { ...program, lsm: true } };
}

const LISTS = 'its target is on a list, or on none';

/** check_return_code() is skipped for a program that runs beside its function. */
function anyReturn(part: Part): readonly Part[] {
  if (part.kind !== 'refuse') return [part];
  const find: typeof part.find = (k, locals) => {
    const { kind, multi } = locals['program'] as BpfProgram;
    const isAccepted = !multi && (kind === 'fentry' || kind === 'fexit');
    return part.find(k, isAccepted ? { ...locals, returns: ZERO } : locals);
  };
  return [{ ...part, find }];
}

/** Planted bugs in the checks of a program's target. */
export const PLANTED_TARGETS: readonly AttachPlanted[] = [
  {
    name: 'every-function-is-modifiable',
    sentence: 'check_attach_modify_return() accepts every function.',
    history: undefined,
    law: programsFitTheirTarget,
    profile: '6.12',
    edits: [
      edit(
        'bpf_prog_load',
        LISTS,
        accepting(({ kind, sleepable }) => kind === 'fmod_ret' && !sleepable),
      ),
    ],
    functions: [listedFunction(F1, 'unlisted')],
    smallest: [load(1, 'fmod_ret'), link(1)],
    finding: "f1 is on the kernel's list for fmod_ret programs / it is not, and prog#1 is attached to it",
  },
  {
    name: 'lsm-program-attaches-anywhere',
    sentence: 'bpf_lsm_verify_prog() accepts every function, but for programs for cgroups.',
    history: undefined,
    law: programsFitTheirTarget,
    profile: '7.2',
    edits: [
      edit(
        'bpf_prog_load',
        LISTS,
        accepting(({ lsm, cgroup }) => lsm === true && cgroup !== true),
      ),
    ],
    smallest: [lsmLoad(1), link(1)],
    finding: "f1 is on the kernel's list for LSM programs / it is not, and prog#1 is attached to it",
  },
  {
    name: 'return-value-is-not-checked',
    sentence: 'check_return_code() accepts any return value of an fentry or fexit program.',
    history: 'bpf: Enforce returning 0 for fentry/fexit progs (5.7)',
    law: programsFitTheirTarget,
    profile: '6.12',
    edits: [edit('bpf_prog_load', 'the verifier refuses what the program does', anyReturn)],
    smallest: [{ ...load(1), returns: fromNumber(0x5eed) }, link(1)],
    finding: 'prog#1 returns 0 / it returns 0x5eed',
  },
];

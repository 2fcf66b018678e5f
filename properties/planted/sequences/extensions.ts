import type { Action } from '../../../model/client/all.ts';
import { targetProgram } from '../../../model/trampoline/traced-function.ts';
import { bodyOrReplacementRunsOnce } from '../../ftrace/body-or-replacement-runs-once.ts';
import { callOf } from '../../observed/sample-call.ts';
import { extensionsExcludePrograms } from '../../trampoline/extensions-exclude-programs.ts';
import { link, load } from './actions.ts';
import { dropped, edit } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

/** The BPF program that the smallest sequences extend. */
const P1 = targetProgram('p1', 1, 'u64 -> u64');

function loadOnP1(id: number, kind: 'fentry' | 'freplace'): Action {
  return { ...load(id, kind), target: 'p1' };
}

/** Planted bugs of extensions, which replace a BPF program. */
export const PLANTED_EXTENSIONS: readonly AttachPlanted[] = [
  {
    name: 'extension-joins-programs',
    sentence: 'An extension does not check whether programs are attached to its target.',
    history: undefined,
    law: extensionsExcludePrograms,
    profile: '6.12',
    edits: [
      edit('__bpf_trampoline_link_prog (extension)', 'programs are attached to the target', dropped),
      edit('__bpf_trampoline_link_prog (extension)', 'bpf_arch_text_poke', dropped),
    ],
    functions: [P1],
    smallest: [loadOnP1(1, 'fentry'), link(1, 1), loadOnP1(2, 'freplace'), link(2, 2)],
    finding: 'only prog#2 is attached to p1 / prog#1 is present as well',
  },
  {
    name: 'extension-is-not-jumped-to',
    sentence: "The target's call site is not patched to jump to its extension.",
    history: undefined,
    law: bodyOrReplacementRunsOnce,
    profile: '7.2',
    edits: [edit('__bpf_trampoline_link_prog (extension)', 'bpf_arch_text_poke', dropped)],
    functions: [P1],
    smallest: [loadOnP1(1, 'freplace'), link(1, 1), callOf(P1, 0)],
    finding: 'a call of p1 runs the extension of p1 / it runs the body of p1',
  },
  {
    name: 'extension-stays-at-the-site',
    sentence: "The extension is detached, but its target's call site still jumps to it.",
    history: undefined,
    law: bodyOrReplacementRunsOnce,
    profile: '6.1',
    edits: [edit('__bpf_trampoline_unlink_prog (extension)', 'bpf_arch_text_poke', dropped)],
    functions: [P1],
    smallest: [loadOnP1(1, 'freplace'), link(1, 1), { do: 'close(link)', link: 'link#1' }, callOf(P1, 0)],
    finding: 'a call of p1 runs the body of p1 / it runs the extension of p1',
  },
];

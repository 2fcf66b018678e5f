import type { Action } from '../../../model/client/all.ts';
import { entry } from '../../../model/core/present.ts';
import { dataOf, findMd } from '../../../model/trampoline/designs/global/kfunc-md.ts';
import type { BpfProgram } from '../../../model/trampoline/program.ts';
import { plainProgram } from '../../../model/trampoline/program.ts';
import { tracedFunction } from '../../../model/trampoline/traced-function.ts';
import { ZERO } from '../../../model/x86/word.ts';
import { callbacksSeeTheCallersArguments } from '../../ftrace/callbacks-see-the-callers-arguments.ts';
import { multiLinkBookkeepingIsConsistent } from '../../ftrace/multi-link-bookkeeping-is-consistent.ts';
import { operationsNeitherOopsNorHang } from '../../ftrace/operations-neither-oops-nor-hang.ts';
import { callOf } from '../../observed/sample-call.ts';
import { link, load } from './actions.ts';
import { dropped, edit, followedBy } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

/** A program of multi links, whose target is the first function that it was checked against. */
function loadMulti(more: Partial<BpfProgram> = {}, target = ''): Action {
  const program = { ...plainProgram(1), multi: true, ...more };
  return { do: 'BPF_PROG_LOAD', program, target, probe: '', returns: ZERO };
}

/** A function with a second argument, and one without. */
const SEVEN = tracedFunction('f1', 1, 'u64 x7 -> u64');
const ONE = tracedFunction('f2', 2, 'u64 -> u64');

/** Planted bugs of multi links and of lookups on attach. */
export const PLANTED_DESIGNS: readonly AttachPlanted[] = [
  {
    name: 'program-of-a-function-is-not-counted',
    sentence: 'kfunc_md_bpf_link() does not count the program that it appends.',
    history: undefined,
    law: multiLinkBookkeepingIsConsistent,
    profile: '6.12, multiLinks = global',
    edits: [
      edit(
        'kfunc_md_bpf_link',
        'append the program',
        followedBy((k, locals) => {
          entry(dataOf(k).mds, findMd(k, String(locals['func']))).progCount--;
        }),
      ),
    ],
    smallest: [loadMulti(), link(1, 1, ['f1'])],
    finding: 'f1 has 1 programs / bpf_prog_cnt is 0',
  },
  {
    name: 'accessed-arguments-are-not-compared',
    sentence:
      'A program of multi links is attached to a function without the arguments that the verifier let it read.',
    history: undefined,
    law: callbacksSeeTheCallersArguments,
    profile: '6.12, multiLinks = global',
    functions: [SEVEN, ONE],
    edits: [edit('bpf_gtrampoline_link_prog', 'the function does not have what the program reads', dropped)],
    smallest: [loadMulti({ reads: 'direct', accesses: [1] }, 'f1'), link(1, 1, ['f2']), callOf(ONE, 0)],
    finding: 'prog#1 sees f2(nothing) / it sees f2(0x5a5a5a5a5a5a5a5a)',
  },
  {
    name: 'trampoline-that-is-not-there-is-not-made',
    sentence: 'bpf_trampoline_get() finds no trampoline and creates none.',
    history: undefined,
    law: operationsNeitherOopsNorHang,
    profile: '6.12',
    edits: [edit('bpf_trampoline_get', 'make the trampoline', dropped)],
    smallest: [load(1)],
    finding: 'BPF_PROG_LOAD returns / use after free: the trampoline of f1 has been freed',
  },
];

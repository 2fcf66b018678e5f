import type { Action } from '../../model/action.ts';
import { dataOf, findMd } from '../../model/trampoline/designs/global/kfunc-md.ts';
import { plainProgram } from '../../model/trampoline/program.ts';
import { ZERO } from '../../model/x86/word.ts';
import { designsAgreeWithThemselves } from '../ftrace/designs-agree-with-themselves.ts';
import { operationsDoNotCrash } from '../ftrace/operations-do-not-crash.ts';
import { link, load } from './attach-actions.ts';
import { dropped, edit, followedBy } from './attach-edits.ts';
import type { AttachPlanted } from './attach-planted.ts';

/** A program of multi links. */
const LOAD_MULTI: Action = {
  do: 'BPF_PROG_LOAD',
  program: { ...plainProgram(1), multi: true },
  target: '',
  probe: '',
  returns: ZERO,
};

/** Planted bugs of multi links and of what is looked up when programs are attached. */
export const PLANTED_DESIGNS: readonly AttachPlanted[] = [
  {
    name: 'program-of-a-function-is-not-counted',
    sentence: 'kfunc_md_bpf_link() does not count the program that it appends.',
    history: undefined,
    law: designsAgreeWithThemselves,
    profile: '6.12, multiLinks = global',
    edits: [
      edit(
        'kfunc_md_bpf_link',
        'append the program',
        followedBy((k, at) => {
          dataOf(k).mds[findMd(k, String(at['func']))]!.progCount--;
        }),
      ),
    ],
    smallest: [LOAD_MULTI, link(1, 1, ['f1'])],
    finding: 'f1 has 1 programs / bpf_prog_cnt is 0',
  },
  {
    name: 'trampoline-that-is-not-there-is-not-made',
    sentence: 'bpf_trampoline_get() finds no trampoline, and makes none.',
    history: undefined,
    law: operationsDoNotCrash,
    profile: '6.12',
    edits: [edit('bpf_trampoline_get', 'make the trampoline', dropped)],
    smallest: [load(1)],
    finding: 'BPF_PROG_LOAD comes back / use after free: the trampoline of f1 has been freed',
  },
];

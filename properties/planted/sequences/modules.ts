import type { Action } from '../../../model/client/all.ts';
import type { Locals } from '../../../model/core/part.ts';
import type { Kernel } from '../../../model/kernel.ts';
import { plainProgram } from '../../../model/trampoline/program.ts';
import { moduleFunction } from '../../../model/trampoline/traced-function.ts';
import { targetModulesStayLoaded } from '../../trampoline/target-modules-stay-loaded.ts';
import { attached, link, load } from './actions.ts';
import { dropped, edit, instead } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

/** The function of a module that the smallest sequence traces. */
const FUNCTIONS = [moduleFunction('f1', 1, 'u64 -> u64', 'm1')];

const UNLOADED_UNDER_A_PROGRAM: readonly Action[] = [
  ...attached('fentry'),
  { do: 'delete_module', module: 'm1' },
];

const FINDING = 'f1 stays loaded: it has tramp#1 / its module was unloaded';

/** Planted bugs of functions in modules. */
export const PLANTED_MODULES: readonly AttachPlanted[] = [
  {
    name: 'image-does-not-hold-its-module',
    sentence: "A trampoline takes no reference on its target's module.",
    history: undefined,
    law: targetModulesStayLoaded,
    profile: '6.1',
    edits: [edit('register_fentry', 'bpf_trampoline_module_get', dropped)],
    functions: FUNCTIONS,
    smallest: UNLOADED_UNDER_A_PROGRAM,
    finding: FINDING,
  },
  {
    name: 'program-does-not-hold-its-module',
    sentence: "A program loaded for a module's function takes no reference on the module.",
    history: undefined,
    law: targetModulesStayLoaded,
    profile: '6.12',
    edits: [edit('bpf_prog_load', 'remember tgt_mod', dropped)],
    functions: FUNCTIONS,
    smallest: UNLOADED_UNDER_A_PROGRAM,
    finding: FINDING,
  },
  {
    name: 'multi-program-does-not-hold-its-module',
    sentence: 'A program of multi links takes no reference on the module whose BTF it is loaded with.',
    history: undefined,
    law: targetModulesStayLoaded,
    profile: '7.2',
    edits: [edit('bpf_prog_load', 'remember tgt_mod', instead(heldBySingles))],
    functions: FUNCTIONS,
    smallest: [
      { ...load(1), program: { ...plainProgram(1), multi: true }, target: '', btf: 'm1' },
      link(1, 1, ['f1']),
      { do: 'delete_module', module: 'm1' },
    ],
    finding: FINDING,
    rare: 'A multi program for the functions of a module, which is unloaded while it is linked: under one sequence in a thousand.',
  },
];

function heldBySingles(_: Kernel, locals: Locals, own: () => void): void {
  if (locals['btf'] === undefined) own();
  else locals['held'] = true;
}

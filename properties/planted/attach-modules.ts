import type { Action } from '../../model/action.ts';
import { moduleFunction } from '../../model/trampoline/traced-function.ts';
import { targetsStayLoaded } from '../ftrace/targets-stay-loaded.ts';
import { link, load } from './attach-actions.ts';
import type { PlantedRecord } from './attach-record.ts';
import { dropped, edit } from './attach-record.ts';

/** The function of a module that the smallest sequences trace. */
export const IN_M1 = moduleFunction('f5', 5, 'u64 -> u64', 'm1');

function unloadedUnderAProgram(): Action[] {
  const action = load(1, 'fentry', IN_M1.name);
  return [
    { ...action, program: { ...action.program, sleepable: false } },
    link(1, 1),
    { do: 'delete_module', module: 'm1' },
  ];
}

const FINDING = 'f5 stays loaded: it has tramp#1 / its module was unloaded';

/** Planted bugs of functions that are in a module. */
export const PLANTED_MODULES: readonly PlantedRecord[] = [
  {
    name: 'image-does-not-hold-its-module',
    sentence: 'A trampoline takes no reference on the module of its target.',
    history: undefined,
    law: targetsStayLoaded,
    profile: '6.1',
    edits: [edit('register_fentry', 'bpf_trampoline_module_get', dropped)],
    smallest: unloadedUnderAProgram(),
    finding: FINDING,
  },
  {
    name: 'program-does-not-hold-its-module',
    sentence: 'A program that is loaded for a function of a module takes no reference on that.',
    history: undefined,
    law: targetsStayLoaded,
    profile: '6.12',
    edits: [edit('bpf_prog_load', 'remember tgt_mod', dropped)],
    smallest: unloadedUnderAProgram(),
    finding: FINDING,
  },
];

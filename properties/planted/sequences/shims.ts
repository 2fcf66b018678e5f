import type { Action } from '../../../model/client/all.ts';
import type { Kernel } from '../../../model/kernel.ts';
import { listedFunction } from '../../../model/trampoline/traced-function.ts';
import { cgroupOf } from '../../../model/trampoline/world.ts';
import { referenceCountsAreExact } from '../../trampoline/reference-counts-are-exact.ts';
import { F1, link, load } from './actions.ts';
import { dropped, edit, instead } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

const HOOKS = [listedFunction(F1, 'lsm')];

/** A program for a cgroup; it denies. */
function cgroupLoad(id: number): Action {
  const { program, ...plain } = load(id, 'fmod_ret');
  const forCgroup = { ...program, lsm: true, cgroup: true, reads: 'direct' } as const;
  return { ...plain, program: forCgroup };
}

function close(n: number): Action {
  return { do: 'close(link)', link: `link#${n}` };
}

/** cgroup_shim_find() and bpf_link_inc(): a shim without references is taken too. */
function takesAnyShim(k: Kernel, target: string): boolean {
  const found = Object.values(cgroupOf(k).shims).findLast((shim) => shim.linked && shim.target === target);
  if (found !== undefined) found.refs++;
  return found !== undefined;
}

/** Planted bugs in the shims of programs for cgroups. */
export const PLANTED_SHIMS: readonly AttachPlanted[] = [
  {
    name: 'shim-is-taken-while-it-goes',
    sentence:
      'bpf_trampoline_link_cgroup_shim() takes a reference on a shim whose last one was dropped, and which a work item frees.',
    history: 'bpf: Fix a UAF issue in bpf_trampoline_link_cgroup_shim (CVE-2026-23319)',
    law: referenceCountsAreExact,
    profile: '6.12',
    edits: [
      edit(
        'bpf_trampoline_link_cgroup_shim',
        'cgroup_shim_find, bpf_link_inc_not_zero',
        instead((k, locals) => {
          locals['found'] = takesAnyShim(k, locals['target'] as string);
        }),
      ),
    ],
    functions: HOOKS,
    smallest: [cgroupLoad(1), link(1), close(1), link(1), { do: 'settle' }],
    finding: 'the shim of f1 has 1 references / it has 0',
  },
  {
    name: 'every-detach-frees-the-shim',
    sentence: 'bpf_link_put() frees a shim although other programs of its hook are attached.',
    history: undefined,
    law: referenceCountsAreExact,
    profile: '6.1',
    edits: [edit('bpf_link_put', 'others have references', dropped)],
    functions: HOOKS,
    smallest: [cgroupLoad(1), link(1), link(2, 1), close(1)],
    finding: 'the shim of f1 has 1 references / it has 0',
  },
];

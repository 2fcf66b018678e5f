import type { FunctionName, LinkId, ProgId } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import { entry, item } from '../core/present.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { linkCgroupShim, unlinkCgroupShim } from './cgroup-shim.ts';
import { dropLink, makeLink } from './tracing-attach.ts';
import type { BpfView, BpfWorld } from './world.ts';
import { cgroupOf } from './world.ts';

/*
 * Links of BPF LSM programs to a cgroup, kernel/bpf/cgroup.c. There is one cgroup, that of all tasks, and links alone
 * attach to it (`BPF_F_ALLOW_MULTI`): nothing is inherited, overridden or replaced.
 *
 * `cgroup_mutex` is held throughout. Calls read the effective programs without it, in a section of RCU.
 */

/** `CGROUP_LSM_NUM`: hooks that have programs for cgroups at a time. */
const HOOKS_MOST = 10;
/** `BPF_CGROUP_MAX_PROGS`. */
const PROGS_MOST = 64;

interface AttachArgs {
  link: LinkId;
  prog: ProgId;
}

/** cgroup_bpf_link_attach(): the link, then __cgroup_bpf_attach() with `cgroup_mutex` held. */
export const cgroupBpfLinkAttach = routine<BpfWorld, AttachArgs>(
  'cgroup_bpf_link_attach',
  ({ allocate, step, attempt, holding, call }) => [
    allocate('the link'),
    step('make the link', (k, locals) =>
      makeLink(k, locals, 'cgroup', [entry(k.bpf.progs, locals.prog).target]),
    ),
    attempt(
      [holding('cgroup_mutex', [call(cgroupBpfAttach, (_, { link }) => ({ link }))])],
      [step('drop the link', dropLink)],
    ),
  ],
);

interface LinkArgs {
  link: LinkId;
}

/** __cgroup_bpf_attach(). Its list is in the order of attachment, and a program may be in it by several links. */
const cgroupBpfAttach = routine<BpfWorld, LinkArgs>('__cgroup_bpf_attach', (words) => {
  const { refuse, allocate, step, attempt } = words;
  return [
    refuse('EINVAL', 'all slots are taken by other hooks', (k, { link }) => {
      const { atypes } = cgroupOf(k);
      return atypes[hookOf(k, link)] === undefined && Object.keys(atypes).length >= HOOKS_MOST;
    }),
    refuse('E2BIG', 'too many programs', (k, { link }) => listOf(k, hookOf(k, link)).length >= PROGS_MOST),
    allocate('the entry'),
    step('enter the list', (k, { link }) => {
      const hook = hookOf(k, link);
      cgroupOf(k).progs[hook] = [...listOf(k, hook), link];
    }),
    attempt(attachShim(words), [step('leave the list', leaveList)]),
  ];
});

/** The shim comes before the programs that it runs: a call between the two finds those of before. */
function attachShim(words: RoutineWords<BpfWorld, LinkArgs>): Part[] {
  const { call, attempt, allocate, step } = words;
  return [
    call(linkCgroupShim, (k, { link }) => ({ target: hookOf(k, link) })),
    attempt(
      [allocate('the effective programs'), step('activate_effective_progs', activate)],
      [call(unlinkCgroupShim, (k, { link }) => ({ target: hookOf(k, link) }))],
    ),
  ];
}

/**
 * bpf_cgroup_link_release(), with __cgroup_bpf_detach(): it needs no memory. Where there is none for a new array of
 * effective programs, purge_effective_progs() puts a dummy into the old one.
 */
export const cgroupBpfLinkRelease = routine<BpfWorld, LinkArgs>(
  'bpf_cgroup_link_release',
  ({ holding, step, call }) => [
    holding('cgroup_mutex', [
      step('leave the list', leaveList),
      step('activate_effective_progs', activate),
      call(unlinkCgroupShim, (k, { link }) => ({ target: hookOf(k, link) })),
    ]),
  ],
);

function hookOf(k: BpfView, link: LinkId): FunctionName {
  return item(entry(k.bpf.links, link).targets, 0);
}

function listOf(k: BpfView, hook: FunctionName): readonly LinkId[] {
  return cgroupOf(k).progs[hook] ?? [];
}

function leaveList(k: BpfWorld, { link }: LinkArgs): void {
  const hook = hookOf(k, link);
  const left = listOf(k, hook).filter((other) => other !== link);
  if (left.length > 0) cgroupOf(k).progs[hook] = left;
  else delete cgroupOf(k).progs[hook];
}

/** The array that calls read from now on; the replaced one is freed after RCU, and read until then. */
function activate(k: BpfWorld, { link }: LinkArgs): void {
  const hook = hookOf(k, link);
  const progs = listOf(k, hook).map((each) => entry(k.bpf.links, each).prog);
  if (progs.length > 0) cgroupOf(k).effective[hook] = progs;
  else delete cgroupOf(k).effective[hook];
}

import type { FunctionName, LinkId, ProgId } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import { entry, item } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import { unregisterFprobe } from '../ftrace/fprobe.ts';
import { moduleOf, modulePut } from '../text/module.ts';
import { detachByDesign, multiLinksOf } from './designs/chosen.ts';
import { bpfTrampolineUnlinkProg } from './link.ts';
import { bpfTrampolinePut } from './trampoline.ts';
import type { BpfProg, BpfView, BpfWorld, LinkKind } from './world.ts';
import { cgroupOf } from './world.ts';

/*
 * close() of a link and of a program, kernel/bpf/syscall.c. The references that they hold are dropped at once or
 * after a grace period, depending on which readers remain:
 *
 * ```text
 *   link, any other            at once; readers use the image or the array, and the program
 *   link, kprobe.multi, raw    after rcu, or rcu_tasks_trace if sleepable or faultable: handlers read the link; its
 *                              program with it, in 6.1 at once
 *   program                    generation C: after rcu_tasks (images); then rcu, or rcu_tasks_trace if sleepable
 * ```
 */

/** The upcall for `ops->release` of a raw tracepoint's link, which involves no trampoline. */
export const RAW_TP_RELEASE = 'bpf_raw_tp_link_lops.release';
/** That of a link to a cgroup. */
export const CGROUP_RELEASE = 'bpf_cgroup_link_lops.release';

/** That of a link to a perf event. */
export const PERF_RELEASE = 'bpf_perf_link_lops.release';

/** The fprobe of a kprobe.multi link. */
export function fprobeOf(link: LinkId): string {
  return `${link}.fp`;
}

/**
 * bpf_check_attach_target(): the module of the target is held until the program is freed, or that whose BTF a program of
 * multi links was loaded with. Functions of it; none: no module is held.
 */
export function functionsHeld(
  k: BpfView,
  { target, btf }: Pick<BpfProg, 'target' | 'btf'>,
): readonly FunctionName[] {
  if (btf !== undefined) return entry(k.text.modules, btf).functions;
  const isHeld = moduleOf(k, target) !== undefined && profileNamed(k.profile).moduleHeldBy === 'program';
  return isHeld ? [target] : [];
}

interface ClosingArgs {
  link: LinkId;
}

interface Closing extends ClosingArgs {
  prog: ProgId;
  deferred: boolean;
}

/** `link->ops->release()`, by the kind of the link. Its errors cannot reach the caller of close(). */
function releases(words: RoutineWords<BpfWorld, Closing>): Readonly<Record<LinkKind, Part>> {
  const { step, when, call, upcall, indirect } = words;
  return {
    'kprobe multi': when('kprobe.multi', (k, { link }) => entry(k.bpf.links, link).kind === 'kprobe multi', [
      call(
        unregisterFprobe,
        (_, { link }) => ({ fprobe: fprobeOf(link), async: true }),
        () => {},
      ),
      step('kprobe_multi_put_modules', (k, { link }) => modulePut(k, entry(k.bpf.links, link).targets)),
    ]),
    'raw tracepoint': when(
      'a raw tracepoint',
      (k, { link }) => entry(k.bpf.links, link).kind === 'raw tracepoint',
      [upcall(RAW_TP_RELEASE, (_, { link }) => ({ link }))],
    ),
    cgroup: when('a cgroup', (k, { link }) => entry(k.bpf.links, link).kind === 'cgroup', [
      upcall(CGROUP_RELEASE, (_, { link }) => ({ link })),
    ]),
    'perf event': when('a perf event', (k, { link }) => entry(k.bpf.links, link).kind === 'perf event', [
      upcall(PERF_RELEASE, (_, { link }) => ({ link })),
    ]),
    'tracing multi': when(
      'a multi link',
      (k, { link }) => entry(k.bpf.links, link).kind === 'tracing multi',
      [indirect('detach by the design', detachByDesign, multiLinksOf, (_, { link }) => ({ link }))],
    ),
    tracing: when('one target', (k, { link }) => entry(k.bpf.links, link).kind === 'tracing', [
      call(bpfTrampolineUnlinkProg, nodeOf, (k, _, errno) => {
        if (errno !== 0) warn(k, { is: 'program not taken off', errno, by: 'bpf_tracing_link_release' });
      }),
      call(bpfTrampolinePut, (k, { link }) => ({ target: item(entry(k.bpf.links, link).targets, 0) })),
    ]),
  };
}

/** bpf_link_release(): detaches the programs; it cannot fail. bpf_link_free() decides how the memory is freed. */
export const closeLink = routine<BpfWorld, ClosingArgs, Closing>('bpf_link_release', (words) => {
  const { refuse, step, when, call, reclaim } = words;
  return [
    refuse('EBADF', 'there is no such link', (k, { link }) => k.bpf.links[link] === undefined),
    step('read the link', (k, locals) => {
      locals.prog = entry(k.bpf.links, locals.link).prog;
    }),
    ...Object.values(releases(words)),
    // Links without readers are freed at once: images and arrays hold their programs.
    step('drop the link', (k, locals) => {
      const { kind } = entry(k.bpf.links, locals.link);
      locals.deferred = kind === 'kprobe multi' || kind === 'raw tracepoint' || kind === 'tracing multi';
      delete k.bpf.links[locals.link];
    }),
    when('its program is put at once', (k, { deferred }) => !deferred || !putsProgLater(k), [
      call(bpfProgPut, (_, { prog }) => ({ prog })),
    ]),
    when('calls may be using the link', (_, { deferred }) => deferred, [
      reclaim('free it in the background', bpfLinkDealloc, (_, { link, prog }) => ({ link, prog })),
    ]),
  ];
});

/**
 * bpf_link_dealloc() of a kprobe.multi or tracing-multi link, a callback of call_rcu() or call_rcu_tasks_trace():
 * the fprobe is embedded in the link, which since 6.12 holds the program until then.
 */
export const bpfLinkDealloc = routine<BpfWorld, { link: LinkId; prog: ProgId }>(
  'bpf_link_dealloc',
  ({ when, wait, step, call }) => [
    when(
      'its program may sleep, or its tracepoint',
      (k, { link, prog }) =>
        entry(k.bpf.progs, prog).program.sleepable || k.bpf.rawLinks?.[link]?.faultable === true,
      [wait('rcu_tasks_trace')],
      [wait('rcu')],
    ),
    step('free the fprobe', (k, { link }) => {
      delete k.probes.fprobes[fprobeOf(link)];
      forgetRawLink(k, link);
    }),
    when('it holds the program', putsProgLater, [call(bpfProgPut, (_, { prog }) => ({ prog }))]),
  ],
);

function putsProgLater({ profile }: BpfView): boolean {
  return profileNamed(profile).linkedProgPutBy === 'dealloc';
}

/** Frees the memory of a raw tracepoint's link, if it is one. */
export function forgetRawLink({ bpf }: BpfWorld, link: LinkId): void {
  if (bpf.rawLinks?.[link] === undefined) return;
  const { [link]: _, ...others } = bpf.rawLinks;
  bpf.rawLinks = others;
}

/** The entry that the link has in its target's list. */
function nodeOf(k: BpfView, { link }: { link: LinkId }) {
  const { prog, targets } = entry(k.bpf.links, link);
  return { target: item(targets, 0), node: { link, prog, cookie: entry(k.bpf.progs, prog).program.cookie } };
}

/** bpf_prog_put(): with the last reference the program is freed in the background. */
export const bpfProgPut = routine<BpfWorld, { prog: ProgId }>(
  'bpf_prog_put',
  ({ step, finish, when, defer }) => [
    step('drop a reference', (k, { prog }) => {
      entry(k.bpf.progs, prog).refs--;
    }),
    finish('others have references', (k, { prog }) => entry(k.bpf.progs, prog).refs > 0),
    when('it holds a module', (k, { prog }) => functionsHeld(k, entry(k.bpf.progs, prog)).length > 0, [
      step('put the module', (k, { prog }) => modulePut(k, functionsHeld(k, entry(k.bpf.progs, prog)))),
    ]),
    defer('free it in the background', freeProg, (_, { prog }) => ({ prog })),
  ],
);

/** close() of a program's file descriptor. */
export const closeProg = routine<BpfWorld, { prog: ProgId }>('bpf_prog_release', ({ refuse, step, call }) => [
  refuse('EBADF', 'there is no such program', (k, { prog }) => k.bpf.progs[prog]?.open !== true),
  step('close the file descriptor', (k, { prog }) => {
    entry(k.bpf.progs, prog).open = false;
  }),
  call(bpfProgPut, (_, { prog }) => ({ prog })),
]);

/**
 * __bpf_prog_put_noref() and bpf_prog_free(): a sleepable program may be running under RCU-tasks-trace, any other
 * under RCU; since generation C a task may also be between the nop in an image and the program's entry helper,
 * which only RCU-tasks covers.
 */
export const freeProg = routine<BpfWorld, { prog: ProgId }>(
  '__bpf_prog_put',
  ({ when, wait, step, call, holding }) => [
    when(
      // Between the nop of an image and the entry helper no section of RCU is held.
      'images may still call it',
      (k, { prog }) => profileNamed(k.profile).imageLifecycle === 'C' && entry(k.bpf.progs, prog).trampLinked,
      [wait('rcu_tasks')],
    ),
    when(
      'it may sleep',
      (k, { prog }) => entry(k.bpf.progs, prog).program.sleepable,
      [wait('rcu_tasks_trace')],
      [wait('rcu')],
    ),
    when('it still holds a trampoline', (k, { prog }) => entry(k.bpf.progs, prog).dstTrampoline, [
      call(bpfTrampolinePut, (k, { prog }) => ({ target: entry(k.bpf.progs, prog).target })),
    ]),
    when('it is a shim', (k, { prog }) => entry(k.bpf.progs, prog).program.shim === true, [
      holding('cgroup_mutex', [
        step('bpf_cgroup_atype_put', (k, { prog }) => {
          const { atypes } = cgroupOf(k);
          const { target } = entry(k.bpf.progs, prog);
          atypes[target] = entry(atypes, target) - 1;
          if (atypes[target] === 0) delete atypes[target];
        }),
      ]),
    ]),
    // The JITed code: a task that still returns into it crashes. The number of a shim is not given again.
    step('free the program', (k, { prog }) => {
      if (entry(k.bpf.progs, prog).program.shim === true) {
        delete k.bpf.progs[prog];
        return;
      }
      entry(k.bpf.progs, prog).freed = true;
      entry(k.bpf.progs, prog).dstTrampoline = false;
    }),
  ],
);

import {
  BPF_TRAMPOLINE,
  isSamePlace,
  modelEntry,
  OPS_TRAMPOLINE,
} from '../../conformance/sequences/entry.ts';
import type { Action } from '../../model/client/all.ts';
import { ftraceJmpGet } from '../../model/ftrace/jmp.ts';
import type { Kernel, KernelView } from '../../model/kernel.ts';

/*
 * After a failed poke ftrace is dead, and what could not be taken off is freed where the kernel still points to it.
 */

/** A page that was freed has no symbol any more, whatever it was. */
const NAMELESS = new RegExp(`(${BPF_TRAMPOLINE}|unmapped memory|prog#\\d+)$`);

/**
 * Whether a function may call what was freed: ftrace is dead, or an image that is to be freed could not be taken off, or an
 * extension whose jump could not.
 */
export function mayCallFreed(k: Kernel): boolean {
  const { ftrace, bpf, text } = k;
  const called = Object.values(ftrace.directFunctions).map(ftraceJmpGet);
  return (
    ftrace.disabled ||
    called.some((address) => bpf.images[address]?.state === 'draining') ||
    Object.keys(text.sites).some((fn) => jumpsToFreed(k, fn))
  );
}

/** Whether a program jumps at its entry to one that nothing holds: it is freed, or is to be. */
function jumpsToFreed(k: Kernel, name: string): boolean {
  const [, prog] = /prog#(\d+)$/.exec(modelEntry({ k }, name)) ?? [];
  return prog !== undefined && k.bpf.progs[Number(prog)]?.refs === 0;
}

/** Whether an entry that was read is that of the model, in a kernel that may call what was freed. */
export function isSameDeadEntry(recorded: string, model: string): boolean {
  const isFreed = recorded.endsWith(OPS_TRAMPOLINE) && NAMELESS.test(model);
  return isFreed || isSamePlace(recorded, model);
}

/**
 * Whether the kernel's table has the kprobe of a perf event that was closed, or one whose pool of return hooks is freed, or its
 * list an ops that was freed. The model reads it as it was; a kernel may have another there, and crash.
 */
export function pointsToFreed(k: KernelView): boolean {
  const { ftrace, probes } = k;
  const stale = Object.keys(ftrace.staleOps ?? {});
  return (
    hasFreedProbe(k) ||
    (probes.stalePools ?? []).length > 0 ||
    stale.some((ops) => ftrace.opsList.includes(ops))
  );
}

/**
 * Whether the kprobe of a new perf event is taken for one that is in the table already: it may be where one was freed that is
 * still there, and register_kprobe() goes by its address.
 */
export function isTakenForFreed(k: KernelView, action: Action, errno: string): boolean {
  return errno === 'EINVAL' && action.do === 'perf_event_open(kprobe)' && hasFreedProbe(k);
}

function hasFreedProbe({ probes, perf }: KernelView): boolean {
  const events = perf?.events ?? {};
  return Object.values(probes.kprobeTable).some((site) =>
    site.probes.some(
      (kprobe) => kprobe.startsWith('perf#') && events[kprobe.replace(/\.kp$/, '')] === undefined,
    ),
  );
}

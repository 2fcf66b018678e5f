import { BPF_TRAMPOLINE, isSamePlace, OPS_TRAMPOLINE } from '../../conformance/sequences/entry.ts';
import type { Action } from '../../model/client/all.ts';
import { ftraceJmpGet } from '../../model/ftrace/jmp.ts';
import type { KernelView } from '../../model/kernel.ts';

/*
 * After a failed poke ftrace is dead, and what could not be taken off is freed where the kernel still points to it.
 */

/** A page that was freed has no symbol any more, whatever it was. */
const NAMELESS: readonly string[] = [BPF_TRAMPOLINE, 'unmapped memory'];

/** Whether a function may call what was freed: ftrace is dead, or an image that is to be freed could not be taken off. */
export function mayCallFreed({ ftrace, bpf }: KernelView): boolean {
  const called = Object.values(ftrace.directFunctions).map(ftraceJmpGet);
  return ftrace.disabled || called.some((address) => bpf.images[address]?.state === 'draining');
}

/** Whether an entry that was read is that of the model, in a kernel that may call what was freed. */
export function isSameDeadEntry(recorded: string, model: string): boolean {
  const isFreed = recorded.endsWith(OPS_TRAMPOLINE) && NAMELESS.some((page) => model.endsWith(page));
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

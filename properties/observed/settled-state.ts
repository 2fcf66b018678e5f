import type { KernelProgram } from '../../model/call/kernel-program.ts';
import { entry } from '../../model/core/present.ts';
import { settle } from '../../model/core/schedule.ts';
import { FTRACE_OPS_FL_ENABLED, FTRACE_OPS_FL_IPMODIFY, isCoreOps } from '../../model/ftrace/ops.ts';
import type { Kernel, KernelView } from '../../model/kernel.ts';
import { HALF_BYTES } from '../../model/text/space.ts';
import { freeImageMemory, imagePage } from '../../model/trampoline/image-memory.ts';
import { copyKernel } from './copy-kernel.ts';
import { perSnapshot } from './snapshot.ts';

/** A kernel's state without what is irrelevant in its ops. */
export type SettledState = Omit<KernelView, 'ftrace'> & {
  readonly ftrace: Omit<KernelView['ftrace'], 'ops' | 'tables'> & {
    readonly ops: Readonly<Record<string, object>>;
  };
};

/**
 * The state after time has passed, reduced to what matters, without generation counts of hashes: two states that
 * behave alike are equal. A failure that was ordered is for a call, not for the work items that run meanwhile.
 */
export const settledState: (k: KernelView, program: KernelProgram) => SettledState = perSnapshot(settled);

function settled(k: KernelView, program: KernelProgram): SettledState {
  const later = isSettled(k) ? k : settledCopy(k, program);
  const ops = Object.fromEntries(
    Object.entries(later.ftrace.ops).flatMap(([name, ftraceOps]) => seenOps(name, ftraceOps)),
  );
  const lru = [...later.fgraph.lru].sort();
  const { tables: _, ...ftrace } = later.ftrace;
  // Only a walk that is under way reads `unlinked`, and settling may take more ops off the list.
  return {
    ...later,
    fault: null,
    ftrace: { ...ftrace, ops, unlinked: {} },
    fgraph: { ...later.fgraph, lru },
  };
}

/** Nothing happens while time passes, and no page is shared: the kernel itself is as it will be. */
function isSettled({ deferred, bpf, text }: KernelView): boolean {
  if (deferred.length > 0) return false;
  for (const target in bpf.trampolines) if (text.pages[imagePage(target)] !== undefined) return false;
  return true;
}

function settledCopy(k: KernelView, program: KernelProgram): Kernel {
  const copy = copyKernel(k);
  copy.fault = null;
  settle(program, copy);
  forgetIdleHalves(copy);
  return copy;
}

/**
 * What matters of an ops: its filters, whether it is enabled, and what another attempt to register it checks. The
 * kernel's own ops are prepared before each use and keep what they were given; `INITIALIZED`, `DYNAMIC`, `SAVE_REGS`
 * and `DIRECT` are set again in the same way, as is the filter of a BPF trampoline's ops.
 */
function seenOps(name: string, ops: KernelView['ftrace']['ops'][string]): [string, object][] {
  const { filter, notrace, hashOf, oldFilter, oldNotrace, func, trampoline } = ops;
  const flags = ops.flags & (FTRACE_OPS_FL_ENABLED | (isCoreOps(name) ? 0 : FTRACE_OPS_FL_IPMODIFY));
  const kept = isCoreOps(name) || name.endsWith('.ops') ? {} : { func, trampoline };
  const untouched =
    filter.length === 0 && notrace.length === 0 && flags === 0 && func === '' && trampoline === '';
  const gone = filter.length === 0 && flags === 0 && Object.keys(kept).length === 0;
  if (name.startsWith('tmp_ops') || name.startsWith('tr(') || untouched || gone) return [];
  return [[name, { filter, notrace, hashOf, oldFilter, oldNotrace, flags, ...kept }]];
}

/**
 * Of a page that images share (generation A) only the half in use matters: the other one is rewritten before its next
 * use.
 */
function forgetIdleHalves(k: Kernel): void {
  for (const target in k.bpf.trampolines) {
    const page = k.text.pages[imagePage(target)];
    if (page === undefined) continue;
    const { curImage } = entry(k.bpf.trampolines, target);
    for (const image in k.bpf.images)
      if (entry(k.bpf.images, image).target === target && image !== curImage) freeImageMemory(k, image);
    const half = k.text.halves[curImage];
    page.bytes = half === undefined ? '' : page.bytes.slice(half.offset * 2, (half.offset + HALF_BYTES) * 2);
  }
}

import type { KernelProgram } from '../../model/call/kernel-program.ts';
import { entry } from '../../model/core/present.ts';
import { settle } from '../../model/core/schedule.ts';
import type { FtraceOps } from '../../model/ftrace/ops.ts';
import { FTRACE_OPS_FL_ENABLED, FTRACE_OPS_FL_IPMODIFY, isCoreOps } from '../../model/ftrace/ops.ts';
import type { Ftrace } from '../../model/ftrace/world.ts';
import type { Kernel, KernelView } from '../../model/kernel.ts';
import { HALF_BYTES } from '../../model/text/space.ts';
import { freeImageMemory, imagePage } from '../../model/trampoline/image-memory.ts';
import { copyKernel } from './copy-kernel.ts';
import { perSnapshot } from './snapshot.ts';

/** A kernel's state without what is irrelevant in its ops. */
export type SettledState = Omit<Kernel, 'ftrace'> & {
  readonly ftrace: Omit<Ftrace, 'ops' | 'tables'> & { readonly ops: Readonly<Record<string, object>> };
};

/**
 * The state after time has passed, reduced to what matters, without generation counts of hashes: two states that
 * behave alike are equal. A failure that was ordered is for a call, not for the work items that run meanwhile.
 */
export const settledState: (k: KernelView, program: KernelProgram) => SettledState = perSnapshot(settled);

function settled(k: KernelView, program: KernelProgram): SettledState {
  const copy = copyKernel(k);
  copy.fault = null;
  settle(program, copy);
  forgetIdleHalves(copy);
  const ops = Object.fromEntries(
    Object.entries(copy.ftrace.ops).flatMap(([name, ftraceOps]) => seenOps(name, ftraceOps)),
  );
  const lru = [...copy.fgraph.lru].sort();
  const { tables: _, ...ftrace } = copy.ftrace;
  // Only a walk that is under way reads `unlinked`, and settling may take more ops off the list.
  return { ...copy, ftrace: { ...ftrace, ops, unlinked: {} }, fgraph: { ...copy.fgraph, lru } };
}

/**
 * What matters of an ops: its filters, whether it is enabled, and what another attempt to register it checks. The
 * kernel's own ops are prepared before each use and keep what they were given; `INITIALIZED`, `DYNAMIC`, `SAVE_REGS`
 * and `DIRECT` are set again in the same way, as is the filter of a BPF trampoline's ops.
 */
function seenOps(name: string, ops: FtraceOps): [string, object][] {
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

import type { FunctionName } from '../../model/core/ids.ts';
import { filterOf } from '../../model/ftrace/ops.ts';
import {
  directOps,
  dmod,
  dreg,
  dunreg,
  freg,
  ftraceOps,
  funreg,
  ITS_OWN,
  omod,
  oreg,
  ounreg,
} from './ftrace-ops.ts';
import type { DoneInLab, Lab } from './lab.ts';
import { ALWAYS_IN_FILTER, OK, TRAMPS } from './lab.ts';
import type { OpName, RecordedOp } from './op.ts';
import type { ProbeKind } from './probes.ts';
import { goff, gon, graphName, probeName, probeOff, probeOn } from './probes.ts';
import { attach, attachMany, detach } from './programs.ts';
import { TARGETS } from './targets.ts';

/** The effect of each operation on its function and numbers. */
const OPERATIONS: Readonly<
  Record<OpName, (lab: Lab, op: RecordedOp, fn: FunctionName, a: number, b: number) => DoneInLab>
> = {
  nop: () => OK,
  dreg: (lab, _, fn, slot, tramp) => dreg(lab, fn, slot, tramp),
  dmod: (lab, _, fn, slot, tramp) => dmod(lab, fn, slot, tramp),
  dunreg: (lab, _, fn, slot, tramp) => dunreg(lab, fn, slot, tramp),
  oreg: (lab, _, fn, zero, tramp) => oreg(lab, fn, zero, tramp),
  omod: (lab, _, fn, old, tramp) => omod(lab, fn, old, tramp),
  ounreg: (lab, _, fn, zero, tramp) => ounreg(lab, fn, zero, tramp),
  freg: (lab, _, fn, kind) => freg(lab, fn, kind),
  funreg: (lab, _, fn, kind) => funreg(lab, fn, kind),
  gon: (lab, _, fn) => gon(lab, fn),
  goff: (lab, _, fn) => goff(lab, fn),
  kpon: (lab, _, fn, i) => probeOn(lab, 'kp', fn, i),
  kpoff: (lab, _, fn, i) => probeOff(lab, 'kp', fn, i),
  kron: (lab, _, fn, i) => probeOn(lab, 'kr', fn, i),
  kroff: (lab, _, fn, i) => probeOff(lab, 'kr', fn, i),
  fpon: (lab, _, fn, i) => probeOn(lab, 'fp', fn, i),
  fpoff: (lab, _, fn, i) => probeOff(lab, 'fp', fn, i),
  'b+': (lab, { fns, program }, _, slot) => attach(lab, fns, slot, program!),
  'bm+': (lab, { fns, program }, _, slot) => attach(lab, fns, slot, program!),
  bmany: (lab, { program }, fn, times) => attachMany(lab, fn, times, program!),
  'b-': (lab, _, __, slot) => detach(lab, slot),
};

/** Performs one operation. */
export function performOp(lab: Lab, op: RecordedOp): DoneInLab {
  const [fn = ''] = op.fns;
  const [a = 0, b = 0] = op.numbers;
  for (const name of op.fns) lab.touched.add(name);
  return OPERATIONS[op.name](lab, op, fn, a, b);
}

/** The recorder's cleanup at the end of a sequence: everything detached, in its order. */
export function reset(lab: Lab): void {
  for (const slot of [...lab.links.keys()].sort((a, b) => a - b)) detach(lab, slot);
  for (const { name } of TARGETS) if (lab.touched.has(name)) resetFunction(lab, name);
  lab.touched.clear();
  if (lab.hasSingleGraph) clearGraphFilter(lab);
}

/** Writing to the file after truncation: the filter is emptied, and one function remains. */
function clearGraphFilter(lab: Lab): void {
  for (const ip of filterOf(lab.k, 'global_ops'))
    if (ip !== ALWAYS_IN_FILTER) lab.do({ do: 'set_ftrace_filter', glob: ip, remove: true });
  lab.do({ do: 'set_ftrace_filter', glob: ALWAYS_IN_FILTER, remove: false });
}

const PROBES: readonly ProbeKind[] = ['kr', 'kp', 'fp'];

function resetFunction(lab: Lab, fn: FunctionName): void {
  for (const i of [0, 1]) {
    for (const kind of PROBES) if (lab.on.has(probeName(kind, fn, i))) probeOff(lab, kind, fn, i);
    if (lab.on.has(directOps(fn, i))) dunreg(lab, fn, i, ITS_OWN);
  }
  for (const kind of [0, 1, 2]) if (lab.on.has(ftraceOps(fn, kind))) funreg(lab, fn, kind);
  if (lab.on.has(graphName(fn))) goff(lab, fn);
  const addr = lab.perIp.get(fn);
  if (addr !== undefined) ounreg(lab, fn, 0, TRAMPS.indexOf(addr));
}

/** The recorder's check whether a function still accepts a direct call, by trampoline c: the errno if not. */
export function directErrno(lab: Lab, fn: FunctionName): DoneInLab['errno'] {
  const { errno } = dreg(lab, fn, 0, 2);
  return errno === 0 ? dunreg(lab, fn, 0, ITS_OWN).errno : errno;
}

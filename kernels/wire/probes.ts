import { readObjectName } from '../../model/core/object-name.ts';
import type { Lines } from './ftrace.ts';
import { cannot, IN_A_BODY, numberOf, op, placeOf } from './numbers.ts';

type OfProbes =
  | 'register_ftrace_graph'
  | 'unregister_ftrace_graph'
  | 'register_kprobe'
  | 'unregister_kprobe'
  | 'disable_kprobe'
  | 'enable_kprobe'
  | 'register_kretprobe'
  | 'unregister_kretprobe'
  | 'register_fprobe_ips'
  | 'unregister_fprobe'
  | 'kfree';

export const PROBE_LINES: Lines<OfProbes> = {
  register_ftrace_graph: ({ gops }) => op('GRAPH', numberOf(gops)),
  unregister_ftrace_graph: ({ gops }) => op('GRAPH_UNREGISTER', numberOf(gops)),
  register_kprobe: ({ kprobe, ip, offset, post, disabled = false }, wording) =>
    offset === undefined
      ? op('KPROBE', numberOf(kprobe), placeOf(ip, wording), 0, post, disabled)
      : cannot(IN_A_BODY),
  unregister_kprobe: ({ kprobe }) => op('KPROBE_UNREGISTER', numberOf(kprobe)),
  disable_kprobe: ({ kp }) => op(isKretprobe(kp) ? 'KRETPROBE_DISABLE' : 'KPROBE_DISABLE', numberOf(kp)),
  enable_kprobe: ({ kp }) => op(isKretprobe(kp) ? 'KRETPROBE_ENABLE' : 'KPROBE_ENABLE', numberOf(kp)),
  register_kretprobe: ({ kretprobe, ip, maxactive, entryHandler, vetoes = false }, wording) =>
    op('KRETPROBE', numberOf(kretprobe), placeOf(ip, wording), maxactive, entryHandler, vetoes),
  unregister_kretprobe: ({ kretprobe }) => op('KRETPROBE_UNREGISTER', numberOf(kretprobe)),
  register_fprobe_ips: (action, wording) => {
    const { fprobe, ips, entry, exit, entryDataSize = 0, shared = false, cleared = true } = action;
    const places = ips.map((ip) => placeOf(ip, wording));
    return op('FPROBE', numberOf(fprobe), entry, exit, entryDataSize, shared, cleared, ...places);
  },
  unregister_fprobe: ({ fprobe }) => op('FPROBE_UNREGISTER', numberOf(fprobe)),
  kfree: ({ object }) => op('KFREE', FREED.indexOf(readObjectName(object).kind), numberOf(object)),
};

function isKretprobe(name: string): boolean {
  return name.startsWith('kretprobe#');
}

/** Kinds of objects that are freed, as the module numbers them. */
const FREED = ['ops', 'direct', 'gops', 'kprobe', 'kretprobe', 'fprobe'];

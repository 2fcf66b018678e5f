import type { Action } from '../../model/client/all.ts';
import { filterOn } from '../../model/client/ftrace-set-filter-ip.ts';
import type { FunctionName, GraphOpsId, Ip } from '../../model/core/ids.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { ensureGops } from '../../model/ftrace/fgraph.ts';
import type { DoneInLab, Lab } from './lab.ts';
import { OK } from './lab.ts';
import { TARGETS } from './targets.ts';

/** The recorder refuses to register an object that it has, and to remove one that it does not have. */
const ALREADY: DoneInLab = { errno: 'EALREADY' };

export type ProbeKind = 'kp' | 'kr' | 'fp';

/** Instances of a kretprobe that may be in use at once. */
const MAXACTIVE = 16;

/** The name of a probe: kprobe, kretprobe or fprobe, two of each for every function. */
export function probeName(kind: ProbeKind, fn: FunctionName, i: number): string {
  return `${kind} ${fn} ${i}`;
}

export function graphName(fn: FunctionName): string {
  return `gops ${fn}`;
}

/** The single graph user of the older kernel, which all functions share. */
const SHARED_GOPS = 'gops';

/** `gon fn`. The older kernel has one graph user, and a file in tracefs that lists the functions it follows. */
export function gon(lab: Lab, fn: FunctionName): DoneInLab {
  if (lab.hasSingleGraph) lab.do({ do: 'set_ftrace_filter', glob: fn, remove: false });
  const name = graphName(fn);
  if (lab.on.has(name)) return ALREADY;
  const errno = lab.all(...(lab.hasSingleGraph ? registrationOfShared(lab) : registrationOfGraph(name, fn)));
  if (errno === 0) lab.on.add(name);
  if (lab.hasSingleGraph) answerForThoseThatAreOn(lab);
  return { errno };
}

/** The entry handler of the shared user rejects the return of functions that it is not enabled for. */
function answerForThoseThatAreOn(lab: Lab): void {
  const others = TARGETS.filter(({ name }) => !lab.on.has(graphName(name)));
  ensureGops(lab.k, SHARED_GOPS).refuses = others.map(({ name }) => name);
}

function registrationOfShared(lab: Lab): Action[] {
  return isGraphOn(lab) ? [] : [{ do: 'register_ftrace_graph', gops: SHARED_GOPS }];
}

function registrationOfGraph(gops: GraphOpsId, ip: Ip): Action[] {
  const ops = `${gops}.ops`;
  return [
    { do: 'ftrace_ops', ops, flags: 0, direct: true },
    filterOn(ops, ip),
    { do: 'register_ftrace_graph', gops },
  ];
}

function isGraphOn(lab: Lab): boolean {
  for (const name of lab.on) if (name.startsWith('gops ')) return true;
  return false;
}

/** `goff fn`. */
export function goff(lab: Lab, fn: FunctionName): DoneInLab {
  const name = graphName(fn);
  if (!lab.on.delete(name)) return ALREADY;
  if (lab.hasSingleGraph) {
    if (!isGraphOn(lab)) lab.do({ do: 'unregister_ftrace_graph', gops: SHARED_GOPS });
    lab.do({ do: 'set_ftrace_filter', glob: fn, remove: true });
    answerForThoseThatAreOn(lab);
  } else {
    lab.do({ do: 'unregister_ftrace_graph', gops: name });
    lab.do({ do: 'ftrace_free_filter', ops: `${name}.ops` });
  }
  return OK;
}

/** `kpon fn i`, `kron fn i`, `fpon fn i`; a kprobe 1 has a post_handler. */
export function probeOn(lab: Lab, kind: ProbeKind, fn: FunctionName, i: number): DoneInLab {
  if (isMissing(lab, kind)) return { errno: 'EOPNOTSUPP' };
  const name = probeName(kind, fn, i);
  if (lab.on.has(name)) return ALREADY;
  const errno = lab.all(registration(kind, name, fn, i));
  if (errno === 0) lab.on.add(name);
  return { errno };
}

/** `kpoff fn i`, `kroff fn i`, `fpoff fn i`: only the removal of an fprobe can be refused. */
export function probeOff(lab: Lab, kind: ProbeKind, fn: FunctionName, i: number): DoneInLab {
  if (isMissing(lab, kind)) return { errno: 'EOPNOTSUPP' };
  const name = probeName(kind, fn, i);
  if (!lab.on.has(name)) return ALREADY;
  const errno = lab.all(removal(kind, name));
  if (kind === 'fp' && errno !== 0) return { errno };
  lab.on.delete(name);
  return OK;
}

function isMissing(lab: Lab, kind: ProbeKind): boolean {
  return kind === 'fp' && lab.profile.fprobe === 'none';
}

function registration(kind: ProbeKind, name: string, ip: Ip, i: number): Action {
  switch (kind) {
    case 'kp':
      return { do: 'register_kprobe', kprobe: name, ip, post: i === 1 };
    case 'kr':
      return { do: 'register_kretprobe', kretprobe: name, ip, maxactive: MAXACTIVE, entryHandler: true };
    case 'fp':
      return { do: 'register_fprobe_ips', fprobe: name, ips: [ip], entry: true, exit: true };
    default:
      return unreachable(kind);
  }
}

function removal(kind: ProbeKind, name: string): Action {
  switch (kind) {
    case 'kp':
      return { do: 'unregister_kprobe', kprobe: name };
    case 'kr':
      return { do: 'unregister_kretprobe', kretprobe: name };
    case 'fp':
      return { do: 'unregister_fprobe', fprobe: name };
    default:
      return unreachable(kind);
  }
}

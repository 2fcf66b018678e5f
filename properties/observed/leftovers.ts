import { entry } from '../../model/core/present.ts';
import { FTRACE_OPS_FL_ENABLED, GLOBAL_OPS, isCoreOps } from '../../model/ftrace/ops.ts';
import { FTRACE_FL_REGS } from '../../model/ftrace/record.ts';
import type { KernelView } from '../../model/kernel.ts';
import { NOP5 } from '../../model/text/text.ts';
import { TP_STUB_FUNC } from '../../model/tracepoint/tracepoint.ts';
import type { Leftover } from '../finding/answer-finding.ts';
import { leftByADesign } from './left-by-a-design.ts';
import { leftOnDevices } from './left-on-devices.ts';

/** What of a field is left in a kernel whose clients have all detached, or why it may stay. */
type Rule = ((k: KernelView) => readonly Leftover[]) | string;
type Rules<T> = Readonly<Record<keyof T, Rule>>;

/** Each of these names is a leftover. */
function left(is: Leftover['is'], names: readonly string[]): Leftover[] {
  return names.map((of) => ({ is, of }));
}

function some(is: Leftover['is'], isLeft: boolean): Leftover[] {
  return left(is, isLeft ? [''] : []);
}

/** The names of those that are not zero. */
function counted(counts: Readonly<Record<string, number>>): string[] {
  return Object.keys(counts).filter((name) => counts[name] !== 0);
}

const COUNTER = 'a counter of the model';
const REWRITTEN = 'written before each use';
const CLIENTS = "memory of the clients, or of ftrace's own ops";

const TEXT: Rules<KernelView['text']> = {
  sites: ({ text }) =>
    left(
      'call site',
      Object.keys(text.sites).filter((ip) => text.sites[ip] !== NOP5),
    ),
  probed: ({ text }) => left('breakpoint', Object.keys(text.probed)),
  inner: 'its targets are set before each use',
  pages: ({ text }) =>
    left(
      'page',
      Object.keys(text.pages).filter(
        (name) =>
          !isCoreOps(name.replace(/\.trampoline$/, '')) && entry(text.pages, name).isPermanent !== true,
      ),
    ),
  halves: ({ text }) => left('page', Object.keys(text.halves)),
  modules: ({ text }) => left('module reference', counted(mapped(text.modules, ({ refcnt }) => refcnt))),
  functions: COUNTER,
  stubs: COUNTER,
  siteOffset: COUNTER,
  pokes: COUNTER,
  poke: ({ text }) => some('batch of pokes', text.poke !== null),
  inInt3: ({ text }) => some('CPU in the int3 handler', text.inInt3 !== 0),
  pagesUsed: COUNTER,
  views: COUNTER,
};

/** Ops of the kernel that outlive their users; `global_ops` has what the administrator wrote. */
function isKept(name: string): boolean {
  return isCoreOps(name) && name !== GLOBAL_OPS && !name.startsWith('tmp_ops');
}

const FTRACE: Rules<KernelView['ftrace']> = {
  enabled: 'a switch of the administrator',
  disabled: 'the law does not apply to a dead ftrace',
  records: ({ ftrace }) =>
    left(
      'record',
      Object.entries(ftrace.records).flatMap(([ip, { count, flags }]) =>
        count > 0 || (flags & ~FTRACE_FL_REGS) !== 0 ? [ip] : [],
      ),
    ),
  opsList: ({ ftrace }) => left('ops', ftrace.opsList),
  startUp: 'the number of ops on the list',
  unlinked: 'only a walk that is under way reads it',
  ops: ({ ftrace }) => [
    ...left(
      'filter',
      Object.keys(ftrace.ops).filter((name) => {
        const { filter, notrace } = entry(ftrace.ops, name);
        return isKept(name) && filter.length + notrace.length > 0;
      }),
    ),
    ...left(
      'enabled ops',
      Object.keys(ftrace.ops).filter(
        (name) =>
          !ftrace.opsList.includes(name) && (entry(ftrace.ops, name).flags & FTRACE_OPS_FL_ENABLED) !== 0,
      ),
    ),
  ],
  staleOps: 'ops that were freed on the list, which another law finds',
  freed: CLIENTS,
  opsMemory: COUNTER,
  directFunctions: ({ ftrace }) => left('direct entry', Object.keys(ftrace.directFunctions)),
  tables: ({ ftrace: { tables } }) =>
    Object.entries(tables.retired).map(([number, content]) => ({
      is: Array.isArray(content) ? 'replaced hash' : 'replaced direct_functions',
      of: `#${number}`,
    })),
  directFuncs: ({ ftrace }) =>
    left(
      'descriptor',
      ftrace.directFuncs.map(({ addr }) => addr),
    ),
  lostEntries: ({ ftrace }) => left('lost direct entry', ftrace.lostEntries),
  directOpsHasHash: 'the empty hash of direct_ops stays',
  traceFunction: REWRITTEN,
  savedTraceFunction: REWRITTEN,
  innerFunction: REWRITTEN,
  functionTraceOp: REWRITTEN,
  setFunctionTraceOp: REWRITTEN,
  graphEntryTests: REWRITTEN,
  removedOps: REWRITTEN,
};

const FGRAPH: Rules<KernelView['fgraph']> = {
  active: ({ fgraph }) => some('ftrace_graph_active', fgraph.active > 0),
  subops: ({ fgraph }) => left('subops', fgraph.subops),
  array: ({ fgraph }) =>
    left(
      'slot of fgraph_array',
      fgraph.array.filter((name) => name !== ''),
    ),
  lru: 'the indices that are not in the array, in the order of their release',
  directGops: 'a pointer, which the next user sets: another law judges the fast path',
  directEntryfunc: 'as directGops',
  directRetfunc: 'as directGops',
  doDirect: 'as directGops',
  suspendNotifier: ({ fgraph }) => some('notifier of suspends', fgraph.suspendNotifier),
  switchProbe: ({ fgraph }) => some('probe of sched_switch', fgraph.switchProbe),
  gops: CLIENTS,
  stopped: 'it follows a crash',
  retStack: ({ fgraph }) =>
    left(
      'return frame',
      fgraph.retStack.map(({ func }) => func),
    ),
  used: 'the words of the frames',
  overrun: COUNTER,
};

const PROBES: Rules<KernelView['probes']> = {
  possibleCpus: COUNTER,
  kprobes: CLIENTS,
  kretprobes: CLIENTS,
  kprobeTable: ({ probes }) => left('kprobe', Object.keys(probes.kprobeTable)),
  armed: ({ probes }) => left('armed kprobe', counted(probes.armed)),
  optimizer: ({ probes }) => left('optimised kprobe', Object.keys(probes.optimizer?.ops ?? {})),
  freedPools: 'pools that were freed: their nodes are no memory any more',
  stalePools: 'pools that were freed while they were in use, which another law finds',
  newerPools: 'pointers to pools',
  rethooks: ({ probes }) => left('pool', Object.keys(probes.rethooks)),
  hooked: ({ probes }) =>
    left(
      'return hook',
      probes.hooked.map(({ fn }) => fn),
    ),
  fprobes: ({ probes }) => left('fprobe', counted(mapped(probes.fprobes, (own) => Number(own.registered)))),
  fprobeTable: ({ probes }) => left('fprobe node', Object.keys(probes.fprobeTable)),
  fprobeNodes: ({ probes }) => left('fprobe node', counted(probes.fprobeNodes)),
  fprobeRegistered: ({ probes }) =>
    left('registered fprobe ops', counted(mapped(probes.fprobeRegistered, Number))),
};

const BPF: Rules<KernelView['bpf']> = {
  trampolines: ({ bpf }) => left('trampoline', Object.keys(bpf.trampolines)),
  staleTrampolines: 'trampolines that were freed with their ops on the list, which another law finds',
  images: ({ bpf }) => left('image', Object.keys(bpf.images)),
  links: ({ bpf }) => left('link', Object.keys(bpf.links)),
  rawLinks: ({ bpf }) => left('link', Object.keys(bpf.rawLinks ?? {})),
  cgroup: ({ bpf: { cgroup } }) => [
    ...left('link', Object.keys(cgroup?.shims ?? {})),
    ...left('program', Object.keys(cgroup?.effective ?? {})),
    ...left('link', Object.values(cgroup?.progs ?? {}).flat()),
  ],
  progs: ({ bpf }) =>
    left(
      'program',
      Object.keys(bpf.progs)
        .filter((prog) => !entry(bpf.progs, Number(prog)).freed)
        .map((prog) => `prog#${prog}`),
    ),
  serial: COUNTER,
  imagesMade: COUNTER,
  design: leftByADesign,
  runContext: 'of the task',
};

const KERNEL: Rules<Omit<KernelView, 'text' | 'ftrace' | 'fgraph' | 'probes' | 'bpf'>> = {
  profile: COUNTER,
  boot: COUNTER,
  functions: COUNTER,
  warnings: COUNTER,
  fault: COUNTER,
  locks: ({ locks }) => left('lock', Object.keys(locks)),
  current: 'of the task',
  deferred: ({ deferred }) =>
    left(
      'deferred routine',
      deferred.map(({ routine }) => routine),
    ),
  tracepoints: probesLeft,
  perf: eventsLeft,
  xdp: leftOnDevices,
};

/** A probe that was removed without memory for a smaller array is a stub until the next change: such an array stays. */
function probesLeft({ tracepoints }: KernelView): Leftover[] {
  const { points, arrays } = tracepoints ?? { points: {}, arrays: {} };
  const used = Object.values(points).map(({ funcs }) => funcs);
  const probed = Object.keys(points).filter((name) => {
    const { funcs } = entry(points, name);
    return funcs !== '' && entry(arrays, funcs).some(({ func }) => func !== TP_STUB_FUNC);
  });
  const lost = Object.keys(arrays).filter((name) => !used.includes(name));
  return [...left('probe', probed), ...left('array of probes', lost)];
}

/** An array whose last program was detached without memory stays until the next program joins, with dummy_bpf_prog. */
function eventsLeft({ perf }: KernelView): Leftover[] {
  const { events, calls, arrays } = perf ?? { events: {}, calls: {}, arrays: {} };
  const used = Object.values(calls).map(({ progArray }) => progArray);
  const lost = Object.keys(arrays).filter(
    (name) => !used.includes(name) || entry(arrays, name).some(({ prog }) => prog !== 0),
  );
  const referred = counted(mapped(calls, ({ perfRefcount }) => perfRefcount));
  return [...left('perf event', [...Object.keys(events), ...referred]), ...left('array of programs', lost)];
}

function mapped<T, U>(record: Readonly<Record<string, T>>, of: (item: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, item]) => [name, of(item)]));
}

/** Call sites and records come first: they explain the others. */
const RULES: ReadonlySet<Rule> = new Set([
  TEXT.sites,
  FTRACE.records,
  ...[TEXT, FTRACE, FGRAPH, PROBES, BPF, KERNEL].flatMap((rules): Rule[] => Object.values(rules)),
]);

/** What should be gone. */
export function leftovers(k: KernelView): Leftover[] {
  return [...RULES].flatMap((rule) => (typeof rule === 'string' ? [] : rule(k)));
}

import { match, P } from 'ts-pattern';
import type { Action, ActionOf } from './action.ts';
import { profileNamed } from './core/profile.ts';
import { FTRACE_OPS_FL_IPMODIFY } from './ftrace/ops.ts';
import type { Outcome } from './step.ts';
import type { Kind } from './trampoline/program.ts';
import type { Word } from './x86/word.ts';

/**
 * What clients were promised, from their calls and the answers alone: who is attached where, in which order. Nothing
 * here knows how a kernel does it; laws hold a run against it.
 */
export interface Promises {
  /** Those who are attached, the oldest first. */
  readonly clients: readonly Client[];
  /** The functions that an object asks for, by its name. */
  readonly filters: Readonly<Record<string, Filter>>;
  /** What objects that are not attached were made to be. */
  readonly flags: Readonly<Record<string, number>>;
  readonly programs: Readonly<Record<number, ActionOf<'BPF_PROG_LOAD'>>>;
  /** `kernel.ftrace_enabled`: while it is off, nobody was promised anything that goes through ftrace. */
  readonly tracing: boolean;
  /** Users of function graph go by the one filter of the tracing directory, or by one of their own. */
  readonly graphFilter: 'global' | 'own';
}

/** An empty filter asks for every function. */
export interface Filter {
  readonly filter: readonly string[];
  readonly notrace: readonly string[];
}

export interface Client {
  /** Its name in events: `ops#1`, `my_tramp2`, `prog#3`. */
  readonly who: string;
  /** The object by which it was attached: an ops, a link, a probe. */
  readonly object: string;
  readonly kind: ClientKind;
  /** The object whose filter says which functions it has; empty: those in `ips`. */
  readonly filterOf: string;
  readonly ips: readonly string[];
  /** It sends functions to a replacement. */
  readonly ipmodify: boolean;
  /** It has an entry handler, and an exit handler. */
  readonly entry: boolean;
  readonly exit: boolean;
  /** A kprobe has a post_handler; a session may answer that it does not want the return. */
  readonly post: boolean;
  readonly vetoes: boolean;
  readonly program: ProgramPromise | undefined;
}

export type ClientKind =
  | 'ftrace'
  | 'direct'
  | 'graph'
  | 'kprobe'
  | 'kretprobe'
  | 'fprobe'
  | 'program'
  | 'kprobe.multi';

/** What a program on a trampoline was promised. */
export interface ProgramPromise {
  readonly kind: Kind;
  readonly cookies: Readonly<Record<string, Word>>;
  readonly returns: Word;
  readonly asksIp: boolean;
}

/** What a kernel has promised after its boot. */
export function nothingPromised(profile: string): Promises {
  const graphFilter = profileNamed(profile).fgraph === 'single' ? 'global' : 'own';
  return { clients: [], filters: {}, flags: {}, programs: {}, tracing: true, graphFilter };
}

/** The functions that a client has: empty means every function. */
export function filterOf(p: Promises, client: Client): Filter {
  if (client.filterOf === '') return { filter: client.ips, notrace: [] };
  return p.filters[client.filterOf] ?? { filter: [], notrace: [] };
}

/** Whether a client has a function. */
export function hasFunction(p: Promises, client: Client, fn: string): boolean {
  const { filter, notrace } = filterOf(p, client);
  const everything = filter.length === 0 && client.filterOf !== '';
  return (everything || filter.includes(fn)) && !notrace.includes(fn);
}

/** The clients of a function, the oldest first; while tracing is off, nobody is. */
export function clientsOf(p: Promises, fn: string): Client[] {
  return p.tracing ? p.clients.filter((client) => hasFunction(p, client, fn)) : [];
}

const PLAIN = {
  filterOf: '',
  ips: [],
  ipmodify: false,
  entry: true,
  exit: false,
  post: false,
  vetoes: false,
  program: undefined,
} as const;

/** The promises after an action and its answer. One match, on purpose: each interface makes its own promise. */
export function promised(p: Promises, action: Action, outcome: Outcome): Promises {
  if (action.do === 'close(link)') return without(p, action.link);
  if (action.do === 'unregister_kprobe') return without(p, action.kprobe);
  if (action.do === 'unregister_kretprobe') return without(p, action.kretprobe);
  if (outcome.errno !== 0) return p;
  return match(action)
    .returnType<Promises>()
    .with({ do: 'ftrace_ops' }, ({ ops, flags }) => ({
      ...p,
      flags: { ...p.flags, [ops]: flags },
      filters: { ...p.filters, [ops]: { filter: [], notrace: [] } },
    }))
    .with({ do: 'ftrace_set_filter_ip' }, ({ ops, ip, remove, reset }) => filtered(p, ops, 'filter', ip, remove, reset))
    .with({ do: 'ftrace_set_notrace' }, ({ ops, ip, reset }) => filtered(p, ops, 'notrace', ip, false, reset))
    .with({ do: 'set_ftrace_filter' }, ({ ip, remove }) => filtered(p, 'global_ops', 'filter', ip, remove, false))
    .with({ do: 'ftrace_free_filter' }, ({ ops }) => ({
      ...p,
      filters: { ...p.filters, [ops]: { filter: [], notrace: [] } },
    }))
    .with({ do: 'register_ftrace_function' }, ({ ops }) =>
      joined(p, {
        ...PLAIN,
        who: ops,
        object: ops,
        kind: 'ftrace',
        filterOf: ops,
        ipmodify: ((p.flags[ops] ?? 0) & FTRACE_OPS_FL_IPMODIFY) !== 0,
      }),
    )
    .with({ do: 'register_ftrace_direct' }, ({ ops, addr }) =>
      joined(p, { ...PLAIN, who: addr, object: ops, kind: 'direct', ips: p.filters[ops]?.filter ?? [] }),
    )
    .with({ do: 'modify_ftrace_direct' }, ({ ops, addr }) => ({
      ...p,
      clients: p.clients.map((client) => (client.object === ops ? { ...client, who: addr } : client)),
    }))
    .with({ do: P.union('unregister_ftrace_function', 'unregister_ftrace_direct') }, ({ ops }) => without(p, ops))
    .with({ do: 'register_ftrace_direct(ip)' }, ({ ip, addr }) => joined(p, direct(ip, addr, `direct ${ip}`)))
    .with({ do: 'modify_ftrace_direct(ip)' }, ({ ip, newAddr }) => retarget(p, { [ip]: newAddr }))
    .with({ do: 'unregister_ftrace_direct(ip)' }, ({ ip }) => withoutDirect(p, [ip]))
    .with({ do: 'update_ftrace_direct_add' }, ({ ops, hash }) =>
      Object.entries(hash).reduce((q, [ip, addr]) => joined(q, direct(ip, addr, `${ops} ${ip}`)), p),
    )
    .with({ do: 'update_ftrace_direct_mod' }, ({ hash }) => retarget(p, hash))
    .with({ do: 'update_ftrace_direct_del' }, ({ hash }) => withoutDirect(p, Object.keys(hash)))
    .with({ do: 'register_ftrace_graph' }, ({ gops }) =>
      joined(p, { ...PLAIN, who: gops, object: gops, kind: 'graph', filterOf: p.graphFilter === 'own' ? `${gops}.ops` : 'global_ops',
        exit: true }),
    )
    .with({ do: 'unregister_ftrace_graph' }, ({ gops }) => without(p, gops))
    .with({ do: 'register_kprobe' }, ({ kprobe, ip, post }) =>
      joined(p, { ...PLAIN, who: kprobe, object: kprobe, kind: 'kprobe', ips: [ip], post }),
    )
    .with({ do: 'register_kretprobe' }, ({ kretprobe, ip, entryHandler }) =>
      joined(p, {
        ...PLAIN,
        who: kretprobe,
        object: kretprobe,
        kind: 'kretprobe',
        ips: [ip],
        entry: entryHandler,
        exit: true,
      }),
    )
    .with({ do: 'register_fprobe_ips' }, ({ fprobe, ips, entry, exit }) =>
      joined(p, { ...PLAIN, who: fprobe, object: fprobe, kind: 'fprobe', ips, entry, exit }),
    )
    .with({ do: 'unregister_fprobe' }, ({ fprobe }) => without(p, fprobe))
    .with({ do: 'BPF_PROG_LOAD' }, (load) => ({ ...p, programs: { ...p.programs, [load.program.id]: load } }))
    .with({ do: P.union('BPF_LINK_CREATE', 'BPF_RAW_TRACEPOINT_OPEN') }, (a) =>
      linked(p, a.link, a.prog, 'targets' in a ? a.targets : []),
    )
    .with({ do: 'kernel.ftrace_enabled' }, ({ value }) => ({ ...p, tracing: value }))
    .with({ do: P.union('close(prog)', 'fail', 'settle', 'call') }, () => p)
    .exhaustive();
}

function joined(p: Promises, client: Client): Promises {
  return { ...p, clients: [...p.clients, client] };
}

function without(p: Promises, object: string): Promises {
  return { ...p, clients: p.clients.filter((client) => client.object !== object) };
}

function direct(ip: string, addr: string, object: string): Client {
  return { ...PLAIN, who: addr, object, kind: 'direct', ips: [ip] };
}

/** Direct calls of single sites that lead elsewhere from now on. */
function retarget(p: Promises, hash: Readonly<Record<string, string>>): Promises {
  const clients = p.clients.map((client) => {
    const addr = client.kind === 'direct' && client.ips.length === 1 ? hash[client.ips[0]!] : undefined;
    return addr === undefined ? client : { ...client, who: addr };
  });
  return { ...p, clients };
}

function withoutDirect(p: Promises, ips: readonly string[]): Promises {
  const clients = p.clients.filter(
    (client) => client.kind !== 'direct' || client.ips.length !== 1 || !ips.includes(client.ips[0]!),
  );
  return { ...p, clients };
}

function filtered(
  p: Promises,
  object: string,
  which: keyof Filter,
  ip: string,
  remove: boolean,
  reset: boolean,
): Promises {
  const old = p.filters[object] ?? { filter: [], notrace: [] };
  const start = reset ? [] : old[which].filter((other) => other !== ip);
  const hash = remove ? start : [...start, ip];
  return { ...p, filters: { ...p.filters, [object]: { ...old, [which]: hash } } };
}

/** A link: the program is on each of its targets. */
function linked(p: Promises, link: string, prog: number, targets: readonly string[]): Promises {
  const load = p.programs[prog];
  if (load === undefined) return p;
  const { program, target, probe, returns } = load;
  const who = `prog#${prog}`;
  if (probe !== '') {
    const nonzero = returns.lo !== 0 || returns.hi !== 0;
    return joined(p, {
      ...PLAIN,
      who,
      object: link,
      kind: 'kprobe.multi',
      ips: targets,
      entry: probe !== 'return',
      exit: probe !== 'entry',
      vetoes: probe === 'session' && nonzero,
    });
  }
  const ips = program.multi ? targets : [target];
  const given = program.cookie.lo !== 0 || program.cookie.hi !== 0;
  const cookies = Object.fromEntries(
    ips.map((ip, i) => [ip, given && program.multi ? { ...program.cookie, lo: program.cookie.lo + i } : program.cookie]),
  );
  return joined(p, {
    ...PLAIN,
    who,
    object: link,
    kind: 'program',
    ips,
    program: { kind: program.kind, cookies, returns, asksIp: program.getFuncIp },
  });
}

import { match, P } from 'ts-pattern';
import type { Action, ActionOf } from '../action.ts';
import type { Outcome } from '../call/outcome.ts';
import { FTRACE_OPS_FL_IPMODIFY } from '../ftrace/ops.ts';
import { goneAddress } from '../text/module.ts';
import { probesAfter, withoutProbe } from './promised-hits.ts';
import type { Client, Filter, ProgramPromise, Promises } from './promises.ts';

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

/** The promises after an action and its answer. One match, longer than it should be on purpose: a case each. */
export function promised(p: Promises, action: Action, outcome: Outcome): Promises {
  if (action.do === 'close(link)')
    return { ...without(p, action.link), probes: withoutProbe(p.probes, action.link) };
  if (action.do === 'unregister_kprobe') return without(p, action.kprobe);
  if (action.do === 'unregister_kretprobe') return without(p, action.kretprobe);
  if (action.do === 'call' || outcome.errno !== 0) return p;
  return match(action)
    .returnType<Promises>()
    .with({ do: 'ftrace_ops' }, ({ ops, flags }) => ({
      ...p,
      flags: { ...p.flags, [ops]: flags },
      filters: { ...p.filters, [ops]: { filter: [], notrace: [] } },
    }))
    .with({ do: 'ftrace_set_filter_ip' }, ({ ops, ip, remove, reset }) =>
      filtered(p, ops, 'filter', ip, remove, reset),
    )
    .with({ do: 'ftrace_set_notrace' }, ({ ops, ip, reset }) => filtered(p, ops, 'notrace', ip, false, reset))
    .with({ do: 'set_ftrace_filter' }, ({ ip, remove }) =>
      filtered(p, 'global_ops', 'filter', ip, remove, false),
    )
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
    .with({ do: 'unregister_ftrace_function' }, ({ ops }) => without(p, ops))
    .with({ do: 'unregister_ftrace_direct' }, ({ ops, freeFilters }) => {
      const left = without(p, ops);
      return freeFilters ? { ...left, filters: { ...p.filters, [ops]: { filter: [], notrace: [] } } } : left;
    })
    .with({ do: 'register_ftrace_direct(ip)' }, ({ ip, addr }) => joined(p, direct(ip, addr, `direct ${ip}`)))
    .with({ do: 'modify_ftrace_direct(ip)' }, ({ ip, newAddr }) => retarget(p, { [ip]: newAddr }))
    .with({ do: 'unregister_ftrace_direct(ip)' }, ({ ip }) => withoutDirect(p, [ip]))
    .with({ do: 'update_ftrace_direct_add' }, ({ ops, hash }) =>
      Object.entries(hash).reduce((q, [ip, addr]) => joined(q, direct(ip, addr, `${ops} ${ip}`)), p),
    )
    .with({ do: 'update_ftrace_direct_mod' }, ({ hash }) => retarget(p, hash))
    .with({ do: 'update_ftrace_direct_del' }, ({ hash }) => withoutDirect(p, Object.keys(hash)))
    .with({ do: 'register_ftrace_graph' }, ({ gops }) =>
      joined(p, {
        ...PLAIN,
        who: gops,
        object: gops,
        kind: 'graph',
        filterOf: p.graphFilter === 'own' ? `${gops}.ops` : 'global_ops',
        exit: true,
      }),
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
    .with({ do: 'BPF_PROG_LOAD' }, (load) => ({
      ...p,
      programs: { ...p.programs, [load.program.id]: load },
    }))
    .with({ do: 'BPF_RAW_TRACEPOINT_OPEN', tracepoint: P.string }, (a) => ({
      ...p,
      probes: probesAfter(p, a),
    }))
    .with({ do: P.union('BPF_LINK_CREATE', 'BPF_RAW_TRACEPOINT_OPEN') }, (a) =>
      linked(p, a.link, a.prog, 'targets' in a ? a.targets : []),
    )
    .with({ do: 'kernel.ftrace_enabled' }, ({ value }) => ({ ...p, tracing: value }))
    .with({ do: 'delete_module' }, ({ module }) => unloaded(p, module))
    .with({ do: 'init_module' }, ({ module }) => ({
      ...p,
      modules: { ...p.modules, [module]: { ...p.modules[module]!, live: true } },
    }))
    .with({ do: P.union('close(prog)', 'kfree', 'fail', 'settle') }, () => p)
    .with({ do: P.union('tracepoint_probe_register_prio', 'tracepoint_probe_unregister') }, (a) => ({
      ...p,
      probes: probesAfter(p, a),
    }))
    .exhaustive();
}

/** An object that is registered again is promised what was asked for last. */
function joined(p: Promises, client: Client): Promises {
  return { ...p, clients: [...without(p, client.object).clients, client] };
}

function without(p: Promises, object: string): Promises {
  return { ...p, clients: p.clients.filter((client) => client.object !== object) };
}

/** Nobody is promised a function that has gone; who asked for it has its address still, and it is that of nothing. */
function unloaded(p: Promises, module: string): Promises {
  const { functions, unloads } = p.modules[module]!;
  const next = unloads + 1;
  const goneIp = (ip: string) => (functions.includes(ip) ? goneAddress(ip, next) : ip);
  const gone = (ips: readonly string[]) => ips.map(goneIp);
  const filters = Object.fromEntries(
    Object.entries(p.filters).map(([object, { filter, notrace }]) => [
      object,
      { filter: gone(filter), notrace: gone(notrace) },
    ]),
  );
  const clients = p.clients.map((client) => {
    const [owner = '', ...at] = client.object.split(' ');
    const ip = at.length === 0 ? undefined : at.join(' ');
    const object = ip === undefined ? owner : `${owner} ${goneIp(ip)}`;
    return { ...client, object, ips: gone(client.ips) };
  });
  return {
    ...p,
    filters,
    clients,
    modules: { ...p.modules, [module]: { functions, live: false, unloads: next } },
  };
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
  return joined(p, {
    ...PLAIN,
    who,
    object: link,
    kind: program.kind === 'freplace' ? 'extension' : 'program',
    ips,
    program: programPromise(p, load, ips),
  });
}

/** A multi link counts the cookie up, from function to function. */
function programPromise(
  { stubWords }: Promises,
  { program, target, returns }: ActionOf<'BPF_PROG_LOAD'>,
  ips: readonly string[],
): ProgramPromise {
  const { kind, cookie, multi, getFuncIp, reads, accesses } = program;
  const given = cookie.lo !== 0 || cookie.hi !== 0;
  const cookies = Object.fromEntries(
    ips.map((ip, i) => [ip, given && multi ? { ...cookie, lo: cookie.lo + i } : cookie]),
  );
  const promise = { kind, multi, cookies, returns, asksIp: getFuncIp };
  if (accesses !== undefined) return { ...promise, accessed: { in: target, numbers: accesses } };
  const stub = multi && reads === 'direct' && stubWords !== undefined;
  return stub ? { ...promise, wordsMost: stubWords } : promise;
}

import type { Action } from '../../model/client/all.ts';
import { InputError } from '../../model/core/input-error.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import { FTRACE_OPS_FL_IPMODIFY, FTRACE_OPS_FL_SAVE_REGS } from '../../model/ftrace/ops.ts';
import {
  fprobeInC,
  kprobeInC,
  kretprobeInC,
  nameInC,
  opsInC,
  REPLACEMENT,
  trampInC,
  WRITE_FILE,
} from './objects-in-c.ts';

/** A call as C of a kernel module. */
export interface CallInC {
  /** Statements before it: memory that the client fills in. */
  readonly before: readonly string[];
  /** Empty: nothing is called. */
  readonly code: string;
  /** An int; otherwise nothing is returned. */
  readonly returns: boolean;
}

type Of<D extends Action['do']> = Extract<Action, { do: D }>;
type Writers = { readonly [D in Action['do']]?: (client: ClientInC, action: Of<D>) => CallInC };

/** Writes the calls of a trace, in order: an object that is registered is not filled in again. */
export class ClientInC {
  /** What the calls need, by name: each once. */
  readonly declared = new Map<string, string>();
  /** The handlers that count, by the names of the trace. */
  readonly seen = new Set<string>();
  private readonly registered = new Set<string>();

  constructor(readonly kernel: RecordedVersion) {}

  /** The call; `isAccepted`: it returns 0 or nothing. */
  of(action: Action, isAccepted: boolean): CallInC {
    const write = WRITERS[action.do] as ((client: ClientInC, action: Action) => CallInC) | undefined;
    if (write === undefined)
      throw new InputError(
        `${action.do} is not a call that a module can make: a bundle has calls of ftrace, kprobes and fprobes`,
      );
    const call = write(this, action);
    const probe = probeOf(action);
    if (probe !== undefined && action.do.startsWith('unregister_')) this.registered.delete(probe);
    else if (probe !== undefined && action.do.startsWith('register_') && isAccepted)
      this.registered.add(probe);
    return call;
  }

  isRegistered(object: string): boolean {
    return this.registered.has(object);
  }

  declare(object: string, text: string, ...seen: readonly string[]): void {
    this.declared.set(object, text);
    for (const who of seen) this.seen.add(who);
  }

  tramp(addr: string): string {
    if (!/^my_tramp\d$/.test(addr)) throw new InputError(`${addr} is no trampoline that a module has`);
    this.declare(addr, trampInC(addr), addr);
    return `(unsigned long)${addr}`;
  }

  /** Direct calls of an ops had another name until 6.3. */
  direct(name: string): string {
    return this.kernel === '6.1' ? `${name}_multi` : name;
  }
}

/** The probe that a call registers or unregisters. */
function probeOf(action: Action): string | undefined {
  if ('kprobe' in action) return action.kprobe;
  if ('kretprobe' in action) return action.kretprobe;
  return 'fprobe' in action ? action.fprobe : undefined;
}

function answering(code: string, before: readonly string[] = []): CallInC {
  return { before, code, returns: true };
}

function quiet(code: string, before: readonly string[] = []): CallInC {
  return { before, code, returns: false };
}

function addressOf(ip: string): string {
  if (!/^\w+$/.test(ip) || ip === 'not_a_site')
    throw new InputError(`${ip} is no function of a module: a bundle probes functions at their entry`);
  return `(unsigned long)${ip}`;
}

function ref(object: string): string {
  if (object.startsWith('gops#'))
    throw new InputError(`${object} is a user of function graph, which a module cannot register`);
  return `&${nameInC(object)}`;
}

/** A structure that its client clears, and fills in. */
function filledIn(object: string, type: string, fields: readonly (string | false)[]): string[] {
  const given = fields.filter((field) => field !== false).map((field) => `\t\t${field},`);
  return [`${nameInC(object)} = (struct ${type}) {`, ...given, '\t};'];
}

const WRITERS: Writers = {
  ftrace_ops: (client, { ops, flags, direct }) => {
    const sends = (flags & FTRACE_OPS_FL_IPMODIFY) !== 0;
    if (sends) client.declare('replacement', REPLACEMENT, 'replacement');
    client.declare(ops, opsInC(ops, direct, sends, client.kernel), ...(direct ? [] : [ops]));
    const names = [
      ...((flags & FTRACE_OPS_FL_SAVE_REGS) === 0 ? [] : ['FTRACE_OPS_FL_SAVE_REGS']),
      ...(sends ? ['FTRACE_OPS_FL_IPMODIFY'] : []),
    ];
    const fields = [
      !direct && `.func = ${nameInC(ops)}_func`,
      names.length > 0 && `.flags = ${names.join(' | ')}`,
    ];
    return quiet('', filledIn(ops, 'ftrace_ops', fields));
  },
  ftrace_set_filter_ip: (client, { ops, ip, remove, reset }) => {
    useOps(client, ops);
    return answering(
      `ftrace_set_filter_ip(${ref(ops)}, ${addressOf(ip)}, ${Number(remove)}, ${Number(reset)})`,
    );
  },
  ftrace_set_notrace: (client, { ops, ip, reset }) => {
    useOps(client, ops);
    return answering(`ftrace_set_notrace(${ref(ops)}, "${ip}", ${ip.length}, ${Number(reset)})`);
  },
  ftrace_free_filter: (client, { ops }) => {
    useOps(client, ops);
    return quiet(`ftrace_free_filter(${ref(ops)})`);
  },
  register_ftrace_function: (client, action) => ofOps(client, action.ops, action.do),
  unregister_ftrace_function: (client, action) => ofOps(client, action.ops, action.do),
  register_ftrace_direct: (client, { do: name, ops, addr }) =>
    ofDirect(client, ops, client.direct(name), addr),
  modify_ftrace_direct: (client, { do: name, ops, addr }) => ofDirect(client, ops, client.direct(name), addr),
  unregister_ftrace_direct: (client, { do: name, ops, addr, freeFilters }) =>
    ofDirect(client, ops, client.direct(name), addr, client.kernel === '6.1' ? [] : [String(freeFilters)]),
  'register_ftrace_direct(ip)': (client, { ip, addr }) =>
    answering(`register_ftrace_direct(${addressOf(ip)}, ${client.tramp(addr)})`),
  'unregister_ftrace_direct(ip)': (client, { ip, addr }) =>
    answering(`unregister_ftrace_direct(${addressOf(ip)}, ${client.tramp(addr)})`),
  'modify_ftrace_direct(ip)': (client, { ip, oldAddr, newAddr }) =>
    answering(`modify_ftrace_direct(${addressOf(ip)}, ${client.tramp(oldAddr)}, ${client.tramp(newAddr)})`),
  register_kprobe: (client, { kprobe, ip, offset, post, disabled }) => {
    if (offset !== undefined)
      throw new InputError(`${kprobe} is in a body, whose instructions the compiler chooses`);
    client.declare(kprobe, kprobeInC(kprobe), kprobe, `${kprobe} post`);
    const name = nameInC(kprobe);
    const fresh = filledIn(kprobe, 'kprobe', [
      `.addr = (void *)${addressOf(ip)}`,
      `.pre_handler = ${name}_pre`,
      post && `.post_handler = ${name}_post`,
      disabled === true && '.flags = KPROBE_FLAG_DISABLED',
    ]);
    const again = [`${name}.addr = (void *)${addressOf(ip)};`];
    return answering(`register_kprobe(&${name})`, client.isRegistered(kprobe) ? again : fresh);
  },
  unregister_kprobe: (_, { kprobe }) => quiet(`unregister_kprobe(&${nameInC(kprobe)})`),
  disable_kprobe: (_, { kp }) => answering(switchOf('disable', kp)),
  enable_kprobe: (_, { kp }) => answering(switchOf('enable', kp)),
  register_kretprobe: (client, { kretprobe, ip, maxactive, entryHandler, vetoes }) => {
    client.declare(kretprobe, kretprobeInC(kretprobe, vetoes === true), kretprobe, `${kretprobe} entry`);
    const name = nameInC(kretprobe);
    const fresh = filledIn(kretprobe, 'kretprobe', [
      `.kp.addr = (void *)${addressOf(ip)}`,
      `.handler = ${name}_return`,
      entryHandler && `.entry_handler = ${name}_entry`,
      `.maxactive = ${maxactive}`,
    ]);
    return answering(`register_kretprobe(&${name})`, client.isRegistered(kretprobe) ? [] : fresh);
  },
  unregister_kretprobe: (_, { kretprobe }) => quiet(`unregister_kretprobe(&${nameInC(kretprobe)})`),
  register_fprobe_ips: (client, { fprobe, ips, entry, exit, shared, cleared, entryDataSize }) => {
    client.declare(fprobe, fprobeInC(fprobe, client.kernel), `${fprobe} entry`, `${fprobe} exit`);
    const name = nameInC(fprobe);
    const fields = [
      entry && `.entry_handler = ${name}_entry`,
      exit && `.exit_handler = ${name}_exit`,
      shared === true && '.flags = FPROBE_FL_KPROBE_SHARED',
      (entryDataSize ?? 0) > 0 && `.entry_data_size = ${entryDataSize}`,
    ];
    const kept = fields.filter((field) => field !== false).map((field) => `${name}${field};`);
    const isKept = client.isRegistered(fprobe) || cleared === false;
    const addresses = ips.map(addressOf).join(', ');
    return answering(
      `register_fprobe_ips(&${name}, (unsigned long[]) { ${addresses} }, ${ips.length})`,
      isKept ? kept : filledIn(fprobe, 'fprobe', fields),
    );
  },
  unregister_fprobe: (_, { fprobe }) => answering(`unregister_fprobe(&${nameInC(fprobe)})`),
  'kernel.ftrace_enabled': (client, { value }) => {
    client.declare('write_file', WRITE_FILE);
    return answering(`write_file("/proc/sys/kernel/ftrace_enabled", "${Number(value)}")`);
  },
  settle: () => quiet('rcu_barrier()', ['synchronize_rcu();']),
};

/** An ops that no call of the trace has filled in is empty. */
function useOps(client: ClientInC, ops: string): void {
  if (!client.declared.has(ops)) client.declare(ops, opsInC(ops, true, false, client.kernel));
}

function ofOps(client: ClientInC, ops: string, name: string): CallInC {
  useOps(client, ops);
  return answering(`${name}(${ref(ops)})`);
}

function ofDirect(
  client: ClientInC,
  ops: string,
  name: string,
  addr: string,
  more: readonly string[] = [],
): CallInC {
  useOps(client, ops);
  return answering(`${name}(${[ref(ops), client.tramp(addr), ...more].join(', ')})`);
}

function switchOf(does: 'disable' | 'enable', probe: string): string {
  const kind = probe.startsWith('kretprobe') ? 'kretprobe' : 'kprobe';
  return `${does}_${kind}(&${nameInC(probe)})`;
}

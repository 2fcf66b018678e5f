import type { Action } from '../../model/action.ts';
import { InputError } from '../../model/core/input-error.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { FTRACE_OPS_FL_IPMODIFY, FTRACE_OPS_FL_SAVE_REGS } from '../../model/ftrace/ops.ts';
import type { Kernel } from '../../model/kernel.ts';
import type { Outcome } from '../../model/step.ts';
import { apply } from '../../model/step.ts';
import type { Program } from '../../model/trampoline/program.ts';
import { fromNumber, ZERO } from '../../model/x86/word.ts';

/** What a step of the recorder came to. */
export interface LabOutcome {
  readonly errno: string;
  /** `runner`: the recorder itself refused, because it has or has not such an object already. */
  readonly stage: string | undefined;
  readonly attached: number | undefined;
  readonly died: string | undefined;
  readonly warnings: readonly string[];
}

/** What a program of the recorder reads, for telling what it wrote down. */
export interface LabProgram {
  readonly kind: string;
  readonly flags: string;
  readonly fn: string;
}

/**
 * How much may wait for grace periods until time passes: they take about a second, in which the recorder does some
 * dozens of calls.
 */
const WAITING_MOST = 40;

/** The errno of the recorder itself. */
const EALREADY = '114';

const FTRACE_FLAGS = [
  0,
  FTRACE_OPS_FL_SAVE_REGS,
  FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY,
] as const;

const TRAMPS = ['my_tramp1', 'my_tramp2', 'my_tramp3'] as const;

/**
 * The recorder: a client that keeps its objects by function and slot, and turns each operation of a sequence into the
 * kernel calls that the recorder makes. Everything is done to the kernel in place.
 */
export class Lab {
  /** Programs by slot. */
  readonly programs = new Map<number, LabProgram>();
  private readonly directs = new Map<string, string>();
  private readonly on = new Set<string>();
  private readonly perIp = new Map<string, string>();
  private readonly links = new Map<number, string>();
  private died: string | undefined;
  private warnings: string[] = [];

  constructor(readonly k: Kernel) {}

  /** Does one operation. */
  step(op: string): LabOutcome {
    this.warnings = [];
    const [name = '', first = '', ...rest] = op.split(' ');
    const done = this.perform(name, first, rest);
    const { errno = '0', stage, attached } = done;
    return { errno, stage, attached, died: this.died, warnings: this.warnings };
  }

  private perform(name: string, fn: string, rest: readonly string[]): Partial<LabOutcome> {
    const [a = '0', b = '0'] = rest;
    switch (name) {
      case 'nop':
        return {};
      case 'dreg':
        return this.dreg(fn, a, TRAMPS[Number(b) % 3]!);
      case 'dmod':
        return this.dmod(fn, a, TRAMPS[Number(b) % 3]!);
      case 'dunreg':
        return this.dunreg(fn, a, b);
      case 'oreg':
      case 'omod':
      case 'ounreg':
        return this.perIpOp(name, fn, Number(a) % 3, Number(b) % 3);
      case 'freg':
        return this.freg(fn, Number(a) % 3);
      case 'funreg':
        return this.funreg(fn, Number(a) % 3);
      case 'gon':
        return this.gon(fn);
      case 'goff':
        return this.goff(fn);
      case 'b+':
      case 'bm+':
        return this.attach(fn.split(','), Number(a), b);
      case 'bmany':
        return this.attachMany(fn, Number(a), b);
      case 'b-':
        return this.detach(Number(a));
      default:
        return this.probe(name, fn, a);
    }
  }

  private do(action: Action): Outcome {
    if (this.k.deferred.length > WAITING_MOST) apply(this.k, { do: 'settle' });
    const outcome = apply(this.k, action);
    this.warnings.push(...outcome.warnings);
    this.died ??= outcome.died;
    return outcome;
  }

  /** Actions until one is refused. */
  private all(...actions: readonly Action[]): string {
    for (const action of actions) {
      const { errno } = this.do(action);
      if (errno !== 0) return errno;
    }
    return '0';
  }

  private dreg(fn: string, slot: string, addr: string): Partial<LabOutcome> {
    const ops = opsName('d', fn, slot);
    const registered = this.directs.has(ops);
    const errno = registered
      ? this.all({ do: 'register_ftrace_direct', ops, addr })
      : this.all(
          { do: 'ftrace_set_filter_ip', ops, ip: fn, remove: false, reset: false },
          { do: 'register_ftrace_direct', ops, addr },
        );
    if (errno === '0') this.directs.set(ops, addr);
    else if (!registered) this.zero(ops, true);
    return { errno };
  }

  /** ftrace_free_filter(), and memory of zeroes. */
  private zero(ops: string, direct: boolean): void {
    this.do({ do: 'ftrace_free_filter', ops });
    this.do({ do: 'ftrace_ops', ops, flags: 0, direct });
  }

  private dmod(fn: string, slot: string, addr: string): Partial<LabOutcome> {
    const ops = opsName('d', fn, slot);
    const errno = this.all({ do: 'modify_ftrace_direct', ops, addr });
    if (errno === '0') this.directs.set(ops, addr);
    return { errno };
  }

  private dunreg(fn: string, slot: string, tramp: string): Partial<LabOutcome> {
    const ops = opsName('d', fn, slot);
    const addr = tramp === '9' ? (this.directs.get(ops) ?? TRAMPS[0]) : TRAMPS[Number(tramp) % 3]!;
    const old = profileNamed(this.k.profile).directApi === 'ip and multi';
    const registered = this.directs.has(ops);
    if (old && !registered) {
      const errno = this.all({ do: 'ftrace_set_filter_ip', ops, ip: fn, remove: false, reset: false });
      if (errno !== '0') return { errno };
    }
    const errno = this.all({ do: 'unregister_ftrace_direct', ops, addr, freeFilters: !old });
    if (errno === '0' || !registered) {
      if (old || errno === '0') this.zero(ops, true);
    }
    if (errno === '0') this.directs.delete(ops);
    return { errno };
  }

  private perIpOp(name: string, ip: string, a: number, b: number): Partial<LabOutcome> {
    if (profileNamed(this.k.profile).directApi !== 'ip and multi') return { errno: 'EOPNOTSUPP' };
    const addr = TRAMPS[b]!;
    if (name === 'ounreg') {
      const errno = this.all({ do: 'unregister_ftrace_direct(ip)', ip, addr });
      if (errno === '0') this.perIp.delete(ip);
      return { errno };
    }
    const errno =
      name === 'oreg'
        ? this.all({ do: 'register_ftrace_direct(ip)', ip, addr })
        : this.all({ do: 'modify_ftrace_direct(ip)', ip, oldAddr: TRAMPS[a]!, newAddr: addr });
    if (errno === '0') this.perIp.set(ip, addr);
    return { errno };
  }

  private freg(fn: string, kind: number): Partial<LabOutcome> {
    const ops = opsName('f', fn, String(kind));
    const registered = this.on.has(ops);
    if (!registered) {
      this.do({ do: 'ftrace_ops', ops, flags: FTRACE_FLAGS[kind]!, direct: false });
      const errno = this.all({ do: 'ftrace_set_filter_ip', ops, ip: fn, remove: false, reset: false });
      if (errno !== '0') return { errno };
    }
    const errno = this.all({ do: 'register_ftrace_function', ops });
    if (errno === '0') this.on.add(ops);
    else if (!registered) this.zero(ops, false);
    return { errno };
  }

  private funreg(fn: string, kind: number): Partial<LabOutcome> {
    const ops = opsName('f', fn, String(kind));
    const errno = this.all({ do: 'unregister_ftrace_function', ops });
    if (errno === '0') {
      this.on.delete(ops);
      this.zero(ops, false);
    }
    return { errno };
  }

  private get singleGraph(): boolean {
    return profileNamed(this.k.profile).fgraph === 'single';
  }

  private gon(fn: string): Partial<LabOutcome> {
    if (this.singleGraph) this.do({ do: 'set_ftrace_filter', ip: fn, remove: false });
    const key = `g ${fn}`;
    if (this.on.has(key)) return { errno: EALREADY };
    const first = ![...this.on].some((one) => one.startsWith('g '));
    const gops = this.gopsFor(fn);
    const errno = this.singleGraph
      ? first
        ? this.all({ do: 'register_ftrace_graph', gops })
        : '0'
      : this.all(
          { do: 'ftrace_ops', ops: `${gops}.ops`, flags: 0, direct: true },
          { do: 'ftrace_set_filter_ip', ops: `${gops}.ops`, ip: fn, remove: false, reset: false },
          { do: 'register_ftrace_graph', gops },
        );
    if (errno === '0') this.on.add(key);
    return { errno };
  }

  private goff(fn: string): Partial<LabOutcome> {
    const key = `g ${fn}`;
    if (!this.on.has(key)) return { errno: EALREADY };
    this.on.delete(key);
    const gops = this.gopsFor(fn);
    if (this.singleGraph) {
      if (![...this.on].some((one) => one.startsWith('g '))) this.do({ do: 'unregister_ftrace_graph', gops });
      this.do({ do: 'set_ftrace_filter', ip: fn, remove: true });
    } else {
      this.do({ do: 'unregister_ftrace_graph', gops });
      this.do({ do: 'ftrace_free_filter', ops: `${gops}.ops` });
    }
    return {};
  }

  private gopsFor(fn: string): string {
    return this.singleGraph ? 'gops' : `gops ${fn}`;
  }

  /** kprobes, kretprobes, fprobes: `kpon fn i`, `kpoff fn i` and so on. */
  private probe(name: string, fn: string, slot: string): Partial<LabOutcome> {
    const match = /^(kp|kr|fp)(on|off)$/.exec(name);
    if (match === null) throw new InputError(`the recorder has no operation ${name}`);
    const [, kind = '', onOff] = match;
    const i = Number(slot) & 1;
    const key = `${kind} ${fn} ${i}`;
    if (kind === 'fp' && profileNamed(this.k.profile).fprobe === 'none') return { errno: 'EOPNOTSUPP' };
    if (this.on.has(key) === (onOff === 'on')) return { errno: EALREADY };
    if (onOff === 'on') {
      const errno = this.all(registration(kind, key, fn, i));
      if (errno === '0') this.on.add(key);
      return { errno };
    }
    const errno = this.all(removal(kind, key));
    if (kind === 'fp' && errno !== '0') return { errno };
    this.on.delete(key);
    return {};
  }

  private attach(fns: readonly string[], slot: number, spec: string): Partial<LabOutcome> {
    if (this.links.has(slot)) return { errno: EALREADY, stage: 'runner' };
    return this.attachInSlot(fns, slot, spec);
  }

  private attachMany(fn: string, count: number, spec: string): Partial<LabOutcome> {
    if (count <= 1) return this.attach([fn], count, spec);
    let attached: number | undefined;
    for (let slot = 100, i = 0; i < count; i++, slot++) {
      while (slot < 255 && this.links.has(slot)) slot++;
      if (this.links.has(slot)) return { errno: EALREADY, stage: 'runner', attached };
      const done = this.attachInSlot([fn], slot, spec);
      if (done.errno !== '0') return { ...done, attached };
      attached = i + 1;
    }
    return { attached };
  }

  private attachInSlot(fns: readonly string[], slot: number, spec: string): Partial<LabOutcome> {
    const [kind = '', flags = ''] = spec.split(':');
    const [fn = ''] = fns;
    const prog = this.freeNumber();
    const load = loadAction(prog, kind, flags, fn);
    const loaded = this.do(load);
    if (loaded.errno !== 0) return { errno: loaded.errno, stage: 'load' };
    const link = `link in slot ${slot}`;
    this.programs.set(slot, { kind, flags, fn });
    this.programSlots.set(prog, slot);
    const created = this.do({ do: 'BPF_LINK_CREATE', link, prog, targets: fns });
    this.do({ do: 'close(prog)', prog });
    if (created.errno !== 0) return { errno: created.errno, stage: 'attach' };
    this.links.set(slot, link);
    return { errno: '0' };
  }

  /** Numbers of programs are used again when nobody can be in the old one any more. */
  private freeNumber(): number {
    const { progs } = this.k.bpf;
    for (let number = 1; ; number++) if (progs[number]?.freed !== false) return number;
  }

  /** Slots by number of the program. */
  readonly programSlots = new Map<number, number>();

  private detach(slot: number): Partial<LabOutcome> {
    const link = this.links.get(slot);
    if (link === undefined) return { errno: EALREADY, stage: 'runner' };
    this.links.delete(slot);
    this.do({ do: 'close(link)', link });
    return {};
  }

  /** What the recorder does at the end of a sequence: everything off, in its order. */
  reset(functions: readonly string[]): void {
    for (const slot of [...this.links.keys()].sort((a, b) => a - b)) this.detach(slot);
    for (const fn of functions) this.resetFunction(fn);
    if (this.singleGraph)
      for (const ip of [...(this.k.ftrace.ops['global_ops']?.filter ?? [])])
        this.do({ do: 'set_ftrace_filter', ip, remove: true });
  }

  private resetFunction(fn: string): void {
    for (const i of ['0', '1']) {
      for (const kind of ['kr', 'kp', 'fp'])
        if (this.on.has(`${kind} ${fn} ${i}`)) this.probe(`${kind}off`, fn, i);
      if (this.directs.has(opsName('d', fn, i))) this.dunreg(fn, i, '9');
    }
    for (const kind of [0, 1, 2]) if (this.on.has(opsName('f', fn, String(kind)))) this.funreg(fn, kind);
    if (this.on.has(`g ${fn}`)) this.goff(fn);
    const addr = this.perIp.get(fn);
    if (addr !== undefined) this.perIpOp('ounreg', fn, 0, TRAMPS.indexOf(addr as 'my_tramp1'));
  }

  /** The recorder's look whether the function still takes a direct call. */
  isClean(fn: string): boolean {
    return this.dreg(fn, '0', 'my_tramp3').errno === '0' && this.dunreg(fn, '0', '9').errno === '0';
  }
}

function opsName(kind: string, fn: string, slot: string): string {
  return `${kind}ops ${fn} ${slot}`;
}

function registration(kind: string, key: string, fn: string, i: number): Action {
  if (kind === 'kp') return { do: 'register_kprobe', kprobe: key, ip: fn, post: i === 1 };
  if (kind === 'kr')
    return { do: 'register_kretprobe', kretprobe: key, ip: fn, maxactive: 16, entryHandler: true };
  return { do: 'register_fprobe_ips', fprobe: key, ips: [fn], entry: true, exit: true };
}

function removal(kind: string, key: string): Action {
  if (kind === 'kp') return { do: 'unregister_kprobe', kprobe: key };
  if (kind === 'kr') return { do: 'unregister_kretprobe', kretprobe: key };
  return { do: 'unregister_fprobe', fprobe: key };
}

const PROBES = { kpm: 'entry', krpm: 'return', kses: 'session' } as const;

const KINDS: Readonly<Record<string, Program['kind']>> = {
  fentry: 'fentry',
  fexit: 'fexit',
  fmod: 'fmod_ret',
  fses: 'fsession',
  fentrym: 'fentry',
  fexitm: 'fexit',
  fsesm: 'fsession',
};

function loadAction(prog: number, kind: string, flags: string, fn: string): Action {
  const probe = kind in PROBES ? PROBES[kind as keyof typeof PROBES] : '';
  const multi = kind.endsWith('m') && kind in KINDS;
  const program: Program = {
    id: prog,
    kind: KINDS[kind] ?? 'fentry',
    multi,
    cookie: flags.includes('c') ? fromNumber(multi ? 0x5ca1ab1e + 0xc000 : 0x5ca1ab1e) : ZERO,
    getFuncIp: flags.includes('i'),
    sessionCookie: false,
    sleepable: flags.includes('s'),
    reads: flags.includes('h') ? (kind === 'fses' ? 'return directly' : 'helpers') : 'direct',
  };
  const returns = flags.includes('R') ? 0x7ead : flags.includes('r') ? -13 : 0;
  return { do: 'BPF_PROG_LOAD', program, target: probe === '' ? fn : '', probe, returns: fromNumber(returns) };
}

import type { CallEvent } from '../../model/core/event.ts';
import { printOpsFlags } from '../../model/ftrace/ops.ts';
import { printRecordFlags } from '../../model/ftrace/record.ts';
import type { KernelView } from '../../model/kernel.ts';
import { placeKey } from '../../model/text/view.ts';
import type { ItfState, ItfValue } from './itf.ts';
import { itfInt, itfMap, itfSet } from './itf.ts';

/** A kernel as variables: `docs/commands/timelines.md` says what each is. */
export function kernelVariables(k: KernelView): ItfState {
  return { ...textVariables(k), ...ftraceVariables(k), ...probeVariables(k), ...bpfVariables(k) };
}

function textVariables({ text, locks }: KernelView): ItfState {
  const offset = `+0x${text.siteOffset.toString(16)}`;
  const sites = Object.entries<string>(text.sites).map(([fn, bytes]) => [fn + offset, bytes] as const);
  const all: Record<string, string> = { ...Object.fromEntries(sites), ...text.probed, ...text.inner };
  return {
    text: itfMap(all, (bytes) => bytes),
    pokes: (text.poke?.vec ?? []).map(({ place, from, to }) => ({ place: placeKey(place), from, to })),
    pokeRefs: itfInt(text.poke?.refs ?? 0),
    locks: itfMap(locks, (holder) => holder),
  };
}

function ftraceVariables({ ftrace, fgraph }: KernelView): ItfState {
  return {
    ftrace: ftrace.disabled ? 'dead' : ftrace.enabled ? 'enabled' : 'disabled',
    records: itfMap(ftrace.records, ({ count, flags }) => ({
      count: itfInt(count),
      flags: itfSet(split(printRecordFlags(flags))),
    })),
    ops: itfMap(ftrace.ops, ({ flags, func, filter, notrace, trampoline, directCall, hashOf }) => ({
      flags: itfSet(split(printOpsFlags(flags))),
      func,
      hashOf,
      filter: itfSet(filter),
      notrace: itfSet(notrace),
      trampoline,
      directCall,
    })),
    opsList: ftrace.opsList,
    directFunctions: itfMap(ftrace.directFunctions, (code) => code),
    retiredTables: itfMap(ftrace.tables.retired, (table) =>
      itfSet(Array.isArray(table) ? table : Object.keys(table)),
    ),
    graphUsers: fgraph.array.filter((name) => name !== ''),
  };
}

/** Names between bars; none of a dash. */
function split(flags: string): string[] {
  return flags === '' || flags === '–' ? [] : flags.split(' | ');
}

function probeVariables({ probes }: KernelView): ItfState {
  return {
    kprobes: itfMap(probes.kprobeTable, ({ probes: names, aggregate, disabled, post }) => ({
      probes: names,
      aggregate,
      disabled,
      post,
    })),
    fprobes: itfMap(probes.fprobes, ({ registered, ips }) => ({ registered, sites: itfSet(ips) })),
    rethooks: itfMap(probes.rethooks, ({ free, max, handler }) => ({
      free: itfInt(free),
      max: itfInt(max),
      handler,
    })),
  };
}

function bpfVariables({ bpf, text }: KernelView): ItfState {
  return {
    programs: itfMap(bpf.progs, ({ program, target, refs, open, freed }) => ({
      kind: program.kind,
      target,
      refs: itfInt(refs),
      open,
      freed,
    })),
    links: itfMap(bpf.links, ({ prog, targets, kind }) => ({
      prog: itfInt(prog),
      targets: itfSet(targets),
      kind,
    })),
    trampolines: itfMap(bpf.trampolines, ({ flags, nodes, curImage, refcnt }) => ({
      flags: itfSet(Object.entries(flags).flatMap(([name, isSet]) => (isSet ? [name] : []))),
      programs: nodes.map(({ prog }) => itfInt(prog)),
      image: curImage,
      refcnt: itfInt(refcnt),
    })),
    images: itfMap(bpf.images, ({ target, state, programs, callOrig, jmp, refs, killed }, name) => ({
      target,
      state,
      programs: programs.map(itfInt),
      callOrig,
      jmp,
      refs: itfInt(refs),
      killed,
      bytes: text.pages[name]?.bytes ?? '',
    })),
  };
}

/** What one client has seen; empty text: that does not apply to it. */
export function seenValue({ kind, who, fn, args = [], ret = '', cookie = '' }: CallEvent): ItfValue {
  return { kind, who, fn, args, ret, cookie };
}

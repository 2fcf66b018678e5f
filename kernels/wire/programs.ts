import type { ActionOf } from '../../model/client/all.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import { isAnyLsmHook } from '../../model/trampoline/listing.ts';
import type { BpfProgram } from '../../model/trampoline/program.ts';
import { slotCount } from '../../model/trampoline/signature.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { toHex, toNumber } from '../../model/x86/word.ts';
import type { Lines } from './ftrace.ts';
import type { Wording } from './numbers.ts';
import {
  cannot,
  eventNumber,
  IN_A_BODY,
  linkNumber,
  placeOf,
  programNumber,
  tracepointNumber,
} from './numbers.ts';

type OfPrograms =
  | 'BPF_PROG_LOAD'
  | 'BPF_LINK_CREATE'
  | 'BPF_RAW_TRACEPOINT_OPEN'
  | 'close(link)'
  | 'close(prog)'
  | 'perf_event_open'
  | 'perf_event_open(kprobe)'
  | 'PERF_EVENT_IOC_SET_BPF'
  | 'BPF_LINK_CREATE(perf_event)'
  | 'close(perf_event)';

export const PROGRAM_LINES: Lines<OfPrograms> = {
  BPF_PROG_LOAD: loadLine,
  BPF_LINK_CREATE: ({ link, prog, targets, symbols = false }, wording) => {
    if (targets.length > 0 && wording.functions.some(isHook)) return cannot(SEVERAL_WITH_HOOKS);
    const places = targets.map((fn) => placeOf(fn, wording));
    return ['l', linkNumber(link), programNumber(prog), Number(symbols), ...places].join(' ');
  },
  BPF_RAW_TRACEPOINT_OPEN: ({ link, prog, tracepoint }, wording) => {
    const line = ['r', linkNumber(link), programNumber(prog)];
    if (tracepoint === undefined) return line.join(' ');
    return [...line, tracepointNumber(tracepoint, wording), Number(hasCookie('raw_tp', wording))].join(' ');
  },
  'close(link)': ({ link }) => `q ${linkNumber(link)}`,
  'close(prog)': ({ prog }) => `d ${programNumber(prog)}`,
  perf_event_open: ({ event, tracepoint }, wording) =>
    `v 4 ${eventNumber(event)} ${tracepointNumber(tracepoint, wording)}`,
  'perf_event_open(kprobe)': ({ event, on, ip, offset = 0 }, wording) =>
    offset === 0
      ? `v 0 ${eventNumber(event)} ${Number(on === 'kretprobe')} ${placeOf(ip, wording)}`
      : cannot(IN_A_BODY),
  PERF_EVENT_IOC_SET_BPF: ({ event, prog }) => `v 1 ${eventNumber(event)} ${programNumber(prog)}`,
  'BPF_LINK_CREATE(perf_event)': ({ link, prog, event }) =>
    `v 2 ${eventNumber(event)} ${linkNumber(link)} ${programNumber(prog)}`,
  'close(perf_event)': ({ event }) => `v 3 ${eventNumber(event)}`,
};

/** The recorder's functions have ids of their module, and the hooks those of the kernel. */
const SEVERAL_WITH_HOOKS = 'links to several functions, where one is a hook of BPF LSM';

export function isHook({ listing }: TracedFunction): boolean {
  return isAnyLsmHook(listing);
}

/** Kinds of programs, as the driver numbers them. */
const KINDS = { fentry: 0, fexit: 1, fmod_ret: 2, fsession: 3, freplace: 12 } as const;
const LSM = 15;
const LSM_FOR_CGROUPS = 16;
const MULTI = 4;
const PROBES = { entry: 8, return: 9, session: 10, kprobe: 11 } as const;
const READS = { direct: 0, helpers: 1, 'return directly': 2 } as const;

function loadLine(load: ActionOf<'BPF_PROG_LOAD'>, wording: Wording): string {
  const { program, target, probe, returns, btf = '' } = load;
  if (probe === 'xdp') return cannot('programs of devices');
  return [
    ...['p', programNumber(program.id), kindOf(program, probe), placeOf(target, wording)],
    ...[Number(btf !== ''), Number(program.sleepable), READS[program.reads]],
    ...[wordsRead(program, target, wording), Number(program.getFuncIp), toHex(returns)],
    toNumber(program.cookie),
    ...(isOnTracepoint(probe) ? readOfHit(program, Number(hasCookie(probe, wording))) : []),
  ].join(' ');
}

/** Kinds of programs on tracepoints. */
const ON_TRACEPOINTS = { raw_tp: 13, tp: 14 } as const;

export function isOnTracepoint(probe: string): probe is keyof typeof ON_TRACEPOINTS {
  return probe in ON_TRACEPOINTS;
}

/** Links of raw tracepoints have had a cookie since 6.10; that of a perf event is its own. */
function hasCookie(probe: keyof typeof ON_TRACEPOINTS, { profile }: Wording): boolean {
  return probe === 'tp' || profileNamed(profile).rawTracepointData === 'link';
}

/** Whether it reads its cookie, and the arguments that it reads: none: all of them. */
function readOfHit({ reads, getFuncIp, accesses = [] }: BpfProgram, cookie: number): number[] {
  return reads === 'direct' && !getFuncIp
    ? [cookie, ...accesses]
    : cannot('helpers for arguments on a tracepoint');
}

function kindOf(program: BpfProgram, probe: '' | keyof typeof PROBES | keyof typeof ON_TRACEPOINTS): number {
  if (isOnTracepoint(probe)) return ON_TRACEPOINTS[probe];
  const { kind, multi, lsm = false, cgroup = false } = program;
  if (program.sessionCookie) return cannot('session cookies');
  if (program.accesses !== undefined) return cannot('programs of designs');
  if (probe !== '') return PROBES[probe];
  if (cgroup) return LSM_FOR_CGROUPS;
  return lsm ? LSM : KINDS[kind] + (multi ? MULTI : 0);
}

/** Words of arguments that a program reads: of its function, or of the stub that multi links are checked against. */
function wordsRead({ multi }: BpfProgram, target: string, { profile, functions }: Wording): number {
  const fn = functions.find(({ name }) => name === target);
  const stub = multi ? designOf(profileNamed(profile))?.stubWords : undefined;
  return stub ?? (fn === undefined ? 0 : slotCount(fn.signature));
}

import type { Action } from '../../model/client/all.ts';
import type { FunctionName, ProgId } from '../../model/core/ids.ts';
import type { BpfProgram } from '../../model/trampoline/program.ts';
import type { BpfProg } from '../../model/trampoline/world.ts';
import { isTracingMulti, recordedCookie, recordedResult, trampolineKind } from '../images/program-kinds.ts';
import type { DoneInLab, Lab } from './lab.ts';
import { OK } from './lab.ts';
import type { ProgramKind, ProgramSpec } from './op.ts';

/** A slot is in use, or is not. */
const ALREADY: DoneInLab = { errno: 'EALREADY', stage: 'runner' };

/** `b+ fn s program`, `bm+ fn,fn s program`: loads a program for the first function, and links it to all. */
export function attach(lab: Lab, fns: readonly string[], slot: number, spec: ProgramSpec): DoneInLab {
  return lab.links.has(slot) ? ALREADY : attachInSlot(lab, fns, slot, spec);
}

/** First slot of many programs, and the last slot. */
const MANY = 100;
const SLOT_MOST = 255;

/** `bmany fn N program`: N programs in slots from 100 on, until one is refused. */
export function attachMany(lab: Lab, fn: FunctionName, count: number, spec: ProgramSpec): DoneInLab {
  let slot = MANY;
  for (let done = 0; done < count; done++, slot++) {
    const attached = done === 0 ? {} : { attached: done };
    while (slot < SLOT_MOST && lab.links.has(slot)) slot++;
    if (lab.links.has(slot)) return { ...ALREADY, ...attached };
    const doneInLab = attachInSlot(lab, [fn], slot, spec);
    if (doneInLab.errno !== 0) return { ...doneInLab, ...attached };
  }
  return { errno: 0, attached: count };
}

/** `b- - s`. */
export function detach(lab: Lab, slot: number): DoneInLab {
  const link = lab.links.get(slot);
  if (link === undefined) return ALREADY;
  lab.links.delete(slot);
  lab.do({ do: 'close(link)', link });
  return OK;
}

function attachInSlot(
  lab: Lab,
  targets: readonly FunctionName[],
  slot: number,
  spec: ProgramSpec,
): DoneInLab {
  const [fn = ''] = targets;
  const prog = freeNumber(lab);
  const loaded = lab.do(loading(prog, fn, spec));
  if (loaded.errno !== 0) return { errno: loaded.errno, stage: 'load' };
  const link = `link in slot ${slot}`;
  const program = { ...spec, slot, fn };
  lab.programs.set(prog, program);
  lab.inSlot.set(slot, program);
  const created = lab.do({ do: 'BPF_LINK_CREATE', link, prog, targets: namesTargets(spec) ? targets : [] });
  lab.do({ do: 'close(prog)', prog });
  if (created.errno !== 0) return { errno: created.errno, stage: 'attach' };
  lab.links.set(slot, link);
  return OK;
}

/** Program numbers are reused when no task can be in the old program any more. */
function freeNumber({ k }: Lab): number {
  const { progs } = k.bpf;
  for (let number = 1; ; number++) if (progs[number]?.freed !== false) return number;
}

const PROBES: Readonly<Partial<Record<ProgramKind, BpfProg['probe']>>> = {
  kpm: 'entry',
  krpm: 'return',
  kses: 'session',
};

/** Whether a program runs on kprobe.multi instead of a trampoline. */
export function isProbe(kind: ProgramKind): boolean {
  return Object.hasOwn(PROBES, kind);
}

/** Any other program has had its target since its load. */
function namesTargets({ kind }: ProgramSpec): boolean {
  return isProbe(kind) || isTracingMulti(kind);
}

function loading(prog: ProgId, fn: FunctionName, { kind, flags }: ProgramSpec): Action {
  const program: BpfProgram = {
    id: prog,
    kind: trampolineKind(kind) ?? 'fentry',
    multi: isTracingMulti(kind),
    cookie: recordedCookie(kind, flags.includes('c')),
    getFuncIp: flags.includes('i'),
    sessionCookie: false,
    sleepable: flags.includes('s'),
    reads: readsOf(kind, flags),
  };
  const target = isProbe(kind) ? '' : fn;
  return { do: 'BPF_PROG_LOAD', program, target, probe: PROBES[kind] ?? '', returns: recordedResult(flags) };
}

/**
 * The recorder's program of a multi link takes everything through the helpers. A session reads the return value from its
 * context even if it takes arguments through them.
 */
function readsOf(kind: ProgramKind, flags: string): BpfProgram['reads'] {
  if (isTracingMulti(kind)) return 'helpers';
  if (!flags.includes('h')) return 'direct';
  return kind === 'fses' ? 'return directly' : 'helpers';
}

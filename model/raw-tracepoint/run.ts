import type { LinkId, ProgId } from '../core/ids.ts';
import { readOfFreed } from '../core/oops.ts';
import { present } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import type { Kernel, KernelView } from '../kernel.ts';
import type { CFunctions, Cpu } from '../text/cpu.ts';
import { dataAt } from '../tracepoint/memory.ts';
import { hitTracepoint } from '../tracepoint/probe-functions.ts';
import { frameBytes, TRACE_RUN } from '../tracepoint/trace-run.ts';
import { tracepointNamed } from '../tracepoint/tracepoint.ts';
import { programInMemory } from '../trampoline/in-memory.ts';
import type { BpfProg } from '../trampoline/world.ts';
import { RDI, RSI } from '../x86/register.ts';
import { plus, toHex } from '../x86/word.ts';

/*
 * The run of a raw tracepoint program, from the probe's data to bpf_prog_run(). It is the last part of a hit, in
 * the read-side section of the site: preemption off up to 6.12, SRCU in 7.2, tasks-trace for system calls.
 */

/** __bpf_trace_run() between its steps. */
interface OnCpu {
  cpu: Cpu;
  prog?: ProgId;
  /** Empty: the data is the program itself. */
  link?: LinkId;
  runs?: boolean;
  /** rcu_read_lock_tasks_trace() for a program that may sleep. */
  section?: 'rcu' | 'rcuTrace';
}

/**
 * __bpf_trace_run(), kernel/trace/bpf_trace.c: the program runs unless it is running on this CPU already; then it
 * is counted as missed. The link is read for the program and, where it has one, for the cookie.
 */
const bpfTraceRun = routine<Kernel, OnCpu>(TRACE_RUN, ({ step, when }) => [
  step('read the data', look),
  when('7.2: its section is around all', isAroundAll, [
    step('rcu_read_lock, migrate_disable', (k, locals) => {
      enter(k, locals);
      k.current.migrateOff++;
    }),
  ]),
  // prog->active of this CPU: a section keeps the task on it, in 7.2 this one, before that the tracepoint's.
  step('count', (k, locals) => {
    const prog = programOf(k, locals);
    prog.active++;
    locals.runs = prog.active === 1;
    if (!locals.runs) prog.misses++;
  }),
  when('it does not run yet', (_, { runs }) => runs === true, [
    when('its section is around the program', isAroundProgram, [step('rcu_read_lock', enter)]),
    step('bpf_prog_run', run),
    when('its section was around the program', isAroundProgram, [step('rcu_read_unlock', leave)]),
  ]),
  // Also for a run that was skipped.
  step('count down', (k, locals) => {
    programOf(k, locals).active--;
  }),
  when('7.2: its section was around all', isAroundAll, [
    step('migrate_enable, rcu_read_unlock', (k, locals) => {
      k.current.migrateOff--;
      leave(k, locals);
    }),
  ]),
]);

/** 7.2, where a task can be preempted in the tracepoint's section and resume on another CPU. */
function isAroundAll({ profile }: KernelView): boolean {
  return profileNamed(profile).tracepointSection === 'srcu';
}

function isAroundProgram(k: KernelView): boolean {
  return !isAroundAll(k);
}

function enter(k: Kernel, locals: OnCpu): void {
  locals.section = programOf(k, locals).program.sleepable ? 'rcuTrace' : 'rcu';
  k.current[locals.section]++;
}

function leave({ current }: Kernel, { section = 'rcu' }: OnCpu): void {
  current[section]--;
}

export const RAW_TRACEPOINT_ROUTINES = [bpfTraceRun];

/** Called by the machine code of bpf_trace_runN() (`../tracepoint/trace-run.ts`). */
export const RAW_TRACEPOINT_FUNCTIONS: CFunctions<Kernel> = {
  [TRACE_RUN]: { routine: TRACE_RUN, give: (_, cpu) => ({ cpu }) },
};

/** The first argument, by its address: a link, or a program. */
function look(k: KernelView, locals: OnCpu): void {
  const data = dataAt(locals.cpu.register(RDI)) ?? '';
  const [kind, number] = data.split('#');
  locals.link = kind === 'link' ? data : '';
  if (kind === 'prog') locals.prog = Number(number);
  else if (kind === 'link') locals.prog = linkInMemory(k, data).prog;
  else throw readOfFreed({ is: 'probe data', address: toHex(locals.cpu.register(RDI)) });
}

/** `struct bpf_raw_tp_link`: freed after the grace period of bpf_link_free(). */
function linkInMemory({ bpf }: KernelView, link: LinkId) {
  const found = bpf.rawLinks?.[link];
  if (found === undefined) throw readOfFreed({ is: 'link', name: link }, TRACE_RUN);
  return found;
}

/** `link->link.prog`, read again in each step: it may have been freed. */
function programOf(k: Kernel, { prog }: OnCpu): BpfProg {
  return programInMemory(k, present(prog, 'program'), TRACE_RUN);
}

/** The program records the arguments that it reads, all by default, as words of its context. */
function run(k: Kernel, locals: OnCpu): void {
  const { cpu, link = '', prog } = locals;
  const { accesses, cookie } = programOf(k, locals).program;
  const fn = hitTracepoint(k, cpu, (page) => frameOf(page) + 8);
  const all = tracepointNamed(k, fn).sizes.map((_, i) => i);
  const args = (accesses ?? all).map((i) => toHex(cpu.read(plus(cpu.register(RSI), 8 * i))));
  if (link !== '') linkInMemory(k, link);
  const known = link === '' ? {} : { cookie: toHex(cookie) };
  cpu.events.push({ kind: 'program', who: `prog#${prog}`, fn, args, ...known });
}

/** Bytes of the frame of bpf_trace_runN(). */
function frameOf(page: string): number {
  return frameBytes(Number(page.replace('bpf_trace_run', '')));
}

import type { CallEvent } from '../../core/event.ts';
import type { FprobeId, FunctionName } from '../../core/ids.ts';
import type { Part } from '../../core/part.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { addressOf } from '../../text/space.ts';
import { toHex } from '../../x86/word.ts';
import type { Fprobe, ProbeView, ProbeWorld } from '../probes.ts';
import { fprobeInMemory } from './in-memory.ts';

/*
 * Programs of kprobe.multi links, in the handlers of their fprobes.
 */

/**
 * kprobe_multi_link_prog_run(), kernel/trace/bpf_trace.c, up to its program: from here on an interrupt comes in it.
 * `bpf_prog_active` counts on each CPU what runs, or is skipped, of all programs that are no trampoline's.
 */
export function enterProgram<L>(
  { step, when }: RoutineWords<ProbeWorld, L>,
  half: 'entry' | 'exit',
  called: (k: ProbeView, locals: L) => FprobeId,
): Part {
  const runs = (k: ProbeView, locals: L) => runsProgram(k, half, called(k, locals));
  return when('it runs a program', runs, [
    step('count in bpf_prog_active', ({ current }) => {
      current.bpfProgActive++;
    }),
  ]);
}

function runsProgram({ probes }: ProbeView, half: 'entry' | 'exit', name: FprobeId): boolean {
  const fprobe = probes.fprobes[name];
  return fprobe !== undefined && fprobe.prog > 0 && fprobe[half];
}

/** The rest: the program, unless another one is in progress on the CPU, which counts as a miss. False: skipped. */
export function runProgram(k: ProbeWorld, name: FprobeId, run: () => void): boolean {
  const isFirst = k.current.bpfProgActive === 1;
  if (isFirst) run();
  else fprobeInMemory(k, name, 'bpf_prog_inc_misses_counter').progMisses++;
  k.current.bpfProgActive--;
  return isFirst;
}

/**
 * bpf_get_func_ip_kprobe_multi(): `entry_ip` of the run context, at the return too. It is the address of the function,
 * not that of its call site: get_entry_ip(), or ftrace_get_entry_ip() (7.2), has subtracted an `endbr64` between them.
 */
export function funcIp(k: ProbeView, { getFuncIp }: Fprobe, fn: FunctionName): Pick<CallEvent, 'ip'> {
  return getFuncIp === true ? { ip: toHex(addressOf(k, fn)) } : {};
}

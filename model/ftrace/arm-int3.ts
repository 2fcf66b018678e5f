import type { Ip } from '../core/ids.ts';
import { present } from '../core/present.ts';
import { routine } from '../core/routine.ts';
import { probedAt } from '../text/body-address.ts';
import { write } from '../text/poke.ts';
import { opcodeAt } from '../text/text.ts';
import { INT3, syncCores } from '../text/view.ts';
import type { ProbeView, ProbeWorld } from './probes.ts';

/*
 * A kprobe at an instruction of a body is an int3: one byte, which no CPU can fetch torn, and a sync of every CPU
 * (arch/x86/kernel/kprobes/core.c). ftrace knows nothing of it.
 *
 *   step               byte  a CPU that reaches the instruction
 *   -----------------  ----  ----------------------------------------------------------------------------
 *   write int3         cc    executes the instruction, or traps: kprobe_int3_handler() finds the probe in the table
 *   sync after int3    cc    traps
 *   write the opcode   53    the same as after `write int3`
 *   sync after the opcode  53   executes the instruction; only now the probe leaves the table
 *
 * The last sync is an IPI to every CPU, and a CPU in the handler has interrupts disabled: it has left the handler before
 * it answers.
 */

interface Int3Args {
  ip: Ip;
}

/** __arm_kprobe() and arch_arm_kprobe(). */
export const archArmKprobe = routine<ProbeWorld, Int3Args>('arch_arm_kprobe', ({ holding, step }) => [
  holding('text_mutex', [
    step('write int3', (k, { ip }) => {
      k.text.probed[ip] = opcodeOf(k, ip);
      write(k, probedAt(ip), 'heads', INT3);
    }),
    step('sync after int3', syncCores),
  ]),
]);

/** __disarm_kprobe() and arch_disarm_kprobe(). */
export const archDisarmKprobe = routine<ProbeWorld, Int3Args>('arch_disarm_kprobe', ({ holding, step }) => [
  holding('text_mutex', [
    step('write the opcode', (k, { ip }) => write(k, probedAt(ip), 'heads', opcodeOf(k, ip))),
    // From here on the place is text like any other.
    step('sync after the opcode', (k, { ip }) => {
      syncCores(k);
      delete k.text.probed[ip];
    }),
  ]),
]);

/** `p->opcode`. */
function opcodeOf(k: ProbeView, ip: Ip): string {
  return present(opcodeAt(k, probedAt(ip).offset), ip);
}

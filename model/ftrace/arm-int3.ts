import type { Ip } from '../core/ids.ts';
import { present } from '../core/present.ts';
import { routine } from '../core/routine.ts';
import { probedAt } from '../text/body-address.ts';
import { write } from '../text/poke.ts';
import { INT3, syncCores, takesIpi } from '../text/view.ts';
import { optimizeKprobe, unoptimizeKprobe } from './kprobe-optimizer.ts';
import { forgetPlaces, isQueued, opcodeOf, optprobeAt, overlapping, writeOpcode } from './optprobe.ts';
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

/** __arm_kprobe() and arch_arm_kprobe(). A jump over the instruction goes first; then this one may get a jump. */
export const archArmKprobe = routine<ProbeWorld, Int3Args>(
  'arch_arm_kprobe',
  ({ holding, step, when, call }) => [
    holding('text_mutex', [
      when('an optimised kprobe overlaps', (k, { ip }) => overlapping(k, ip) !== undefined, [
        call(unoptimizeKprobe, (k, { ip }) => ({ ip: present(overlapping(k, ip), ip), force: true })),
      ]),
      step('write int3', (k, { ip }) => {
        k.text.probed[ip] ??= opcodeOf(k, ip);
        write(k, probedAt(ip), 'heads', INT3);
      }),
      step('sync after int3', syncCores, takesIpi),
      when('it may be optimised', mayBeOptimized, [call(optimizeKprobe, (_, { ip }) => ({ ip }))]),
    ]),
  ],
);

/** __disarm_kprobe() and arch_disarm_kprobe(). One that has a jump, or had, is disarmed by the optimiser. */
export const archDisarmKprobe = routine<ProbeWorld, Int3Args>(
  'arch_disarm_kprobe',
  ({ holding, step, when, call }) => [
    holding('text_mutex', [
      when('it may be optimised', mayBeOptimized, [
        call(unoptimizeKprobe, (_, { ip }) => ({ ip, force: false })),
      ]),
      when('it is not queued', (k, { ip }) => !isQueued(k, ip), [
        step('write the opcode', (k, { ip }) => writeOpcode(k, ip)),
        // From here on the place is text like any other.
        step(
          'sync after the opcode',
          (k, { ip }) => {
            syncCores(k);
            forgetPlaces(k, ip);
          },
          takesIpi,
        ),
        when('it has kept another from its jump', (k, { ip }) => overlapping(k, ip) !== undefined, [
          call(optimizeKprobe, (k, { ip }) => ({ ip: present(overlapping(k, ip), ip) })),
        ]),
      ]),
    ]),
  ],
);

function mayBeOptimized(k: ProbeView, { ip }: Int3Args): boolean {
  return optprobeAt(k, ip) !== undefined;
}

import type { FprobeId } from '../../core/ids.ts';
import type { Part } from '../../core/part.ts';
import type { RoutineWords } from '../../core/routine.ts';
import type { ProbeView, ProbeWorld } from '../probes.ts';
import { fprobeInMemory } from './in-memory.ts';

/** The locals of a routine that may call the entry handler of such an fprobe. */
export interface SharedWithKprobes {
  /** The handler runs as that of a kprobe would, or is skipped as that would be. Absent: it is not shared. */
  busy?: 'begun' | 'skipped';
}

/**
 * fprobe_kprobe_handler(), and __fprobe_kprobe_handler() of 7.2: an fprobe whose handlers kprobes have as well
 * (`FPROBE_FL_KPROBE_SHARED`) is skipped and counts a miss while a kprobe runs on the CPU; kprobes are skipped while its
 * entry handler runs. The exit handler is called as that of any other. The parts call the entry handler; `skipped` is
 * what remains without.
 */
export function asKprobe<L extends SharedWithKprobes>(
  { step, when }: RoutineWords<ProbeWorld, L>,
  called: (k: ProbeView, locals: L) => FprobeId,
  parts: readonly Part[],
  skipped: readonly Part[] = [],
): Part[] {
  return [
    when('it is shared with kprobes', (k, locals) => isShared(k, called(k, locals)), [
      when(
        'a kprobe is running on this CPU',
        (k) => k.current.kprobe,
        [
          step('count the skipped call', (k, locals) => {
            fprobeInMemory(k, called(k, locals), 'fprobe_kprobe_handler').nmissed++;
            locals.busy = 'skipped';
          }),
        ],
        [
          step('kprobe_busy_begin', ({ current }, locals) => {
            current.preemptOff++;
            current.kprobe = true;
            locals.busy = 'begun';
          }),
        ],
      ),
    ]),
    when('it is not skipped', (_, { busy }) => busy !== 'skipped', parts, skipped),
    when('it was shared with kprobes', (_, { busy }) => busy !== undefined, [
      step('kprobe_busy_end', ({ current }, locals) => {
        if (locals.busy === 'begun') {
          current.kprobe = false;
          current.preemptOff--;
        }
        delete locals.busy;
      }),
    ]),
  ];
}

function isShared({ probes }: ProbeView, name: FprobeId): boolean {
  return probes.fprobes[name]?.shared === true;
}

import type { KprobeId, OptprobeId } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import { entry } from '../core/present.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { isInBody } from '../text/body-address.ts';
import { disarmKprobe, disarmKprobeFtrace } from './arm-kprobe.ts';
import type { FoundKprobe } from './disable-kprobe.ts';
import { addressNow, disableAddress, disableInList, findAddress, othersDisabled } from './disable-kprobe.ts';
import { freeOptinsnSlot, optimizeKprobe } from './kprobe-optimizer.ts';
import { leaveTable } from './kprobe-table.ts';
import { freeOptprobe, isQueued } from './optprobe.ts';
import type { ProbeWorld } from './probes.ts';

/*
 * Kprobes are unregistered in two halves: __unregister_kprobe_top() under `kprobe_mutex`, then synchronize_rcu(),
 * then the memory is the client's. unregister_kprobe() returns nothing, so a probe that could not be disarmed
 * stays listed while its client believes it gone.
 */

interface KprobeArgs {
  kprobe: KprobeId;
}

/** A kprobe that is being unregistered. */
export interface LeavingKprobe extends FoundKprobe {
  /** It could not be disarmed. */
  stays?: boolean;
  /** The optimised kprobe that goes with it. */
  optprobe?: OptprobeId | undefined;
}

/** unregister_kprobe(). On failure it only clears `p->addr` and skips the second half. */
export const unregisterKprobe = routine<ProbeWorld, KprobeArgs, LeavingKprobe>(
  'unregister_kprobe',
  (words) => [
    words.holding('kprobe_mutex', [unregisterKprobeTop(words)]),
    words.wait('rcu'),
    words.step('forget the kprobe', forgetKprobe),
    // free_aggr_kprobe().
    words.when('its aggregate goes', (_, { optprobe }) => optprobe !== undefined, [
      words.step('free the aggregate', (k, { optprobe = '' }) => freeOptprobe(k, optprobe)),
      words.reclaim('give its slot back', freeOptinsnSlot, (_, { optprobe = '' }) => ({ optprobe })),
    ]),
  ],
);

/**
 * __unregister_kprobe_top(), `kprobe_mutex` held: the kprobe leaves the table, or the list of its aggregate. The
 * site is disarmed with the last enabled probe. An aggregate keeps its post_handler, as it tells which ops it was
 * armed with.
 */
export function unregisterKprobeTop<L extends LeavingKprobe>(words: RoutineWords<ProbeWorld, L>): Part {
  const { when, step, call } = words;
  return when('the kprobe is registered', findAddress, [
    step('disable the kprobe', disableInList),
    when('no other at the address is enabled', othersDisabled, disarmLast(words)),
    when('it leaves', (_, { stays }) => stays !== true, [
      step('leave the table', (k, locals) => {
        const { kprobe } = locals;
        const ip = addressNow(k, locals);
        const site = entry(k.probes.kprobeTable, ip);
        if (site.disabled && site.probes.length === 1 && !isQueued(k, ip)) {
          locals.optprobe = site.optprobe;
          leaveTable(k, ip);
          return;
        }
        site.probes = site.probes.filter((name) => name !== kprobe);
        if (isInBody(ip)) site.post = site.probes.some((name) => entry(k.probes.kprobes, name).post);
      }),
      when('the others may be optimised', (k, { ip }) => k.probes.kprobeTable[ip]?.optprobe !== undefined, [
        call(optimizeKprobe, (_, { ip }) => ({ ip })),
      ]),
    ]),
  ]);
}

/** __disable_kprobe() for the last enabled probe: when disarming fails, the probe is enabled again and stays. */
function disarmLast<L extends LeavingKprobe>(words: RoutineWords<ProbeWorld, L>): Part[] {
  const { call, when, step } = words;
  return [
    disarmKprobe(words, [
      call(
        disarmKprobeFtrace,
        (_, { ip }) => ({ ip }),
        (_, locals, errno) => {
          locals.stays = errno !== 0;
        },
      ),
    ]),
    when(
      'it could not be disarmed',
      (_, { stays }) => stays === true,
      [
        step('the kprobe stays', (k, { kprobe }) => {
          const probe = entry(k.probes.kprobes, kprobe);
          k.probes.kprobes[kprobe] = { ...probe, ip: '', disabled: false, stays: true };
        }),
      ],
      [step('mark the address disabled', disableAddress)],
    ),
  ];
}

/** From here on the memory is the client's: any use of it is a use after free. */
export function forgetKprobe(k: ProbeWorld, locals: LeavingKprobe): void {
  if ('ip' in locals && locals.stays !== true) delete k.probes.kprobes[locals.kprobe];
}

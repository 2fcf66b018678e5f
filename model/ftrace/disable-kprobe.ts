import type { Ip, KprobeId } from '../core/ids.ts';
import { entry } from '../core/present.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import { routine } from '../core/routine.ts';
import { armKprobe, armKprobeFtrace, disarmKprobe, disarmKprobeFtrace } from './arm-kprobe.ts';
import type { KprobeSite, ProbeView, ProbeWorld } from './probes.ts';

/*
 * A client disables a registered kprobe, and enables it again. The address is disarmed with its last enabled probe
 * and armed with the first; its entry stays in `kprobe_table`. Neither call waits: a handler may still run after
 * disable_kprobe() has returned.
 */

interface KprobeArgs {
  kprobe: KprobeId;
}

/** A kprobe of a client, and the address at which __get_valid_kprobe() finds it. */
export interface FoundKprobe extends KprobeArgs {
  ip: Ip;
}

/** disable_kprobe(): __disable_kprobe() under `kprobe_mutex`. */
export const disableKprobe = routine<ProbeWorld, KprobeArgs, FoundKprobe>('disable_kprobe', (words) => {
  const { holding, refuse, step, when, attempt, call } = words;
  return [
    holding('kprobe_mutex', [
      refuse('EINVAL', 'the kprobe is not registered', (k, locals) => !findAddress(k, locals)),
      step('disable the kprobe', disableInList),
      when('no other at the address is enabled', othersDisabled, [
        disarmKprobe(words, [
          attempt(
            [call(disarmKprobeFtrace, (_, { ip }) => ({ ip }))],
            [step('the kprobe stays enabled', (k, { kprobe }) => setDisabled(k, kprobe, false))],
          ),
        ]),
        step('mark the address disabled', disableAddress),
      ]),
    ]),
  ];
});

/** enable_kprobe(). */
export const enableKprobe = routine<ProbeWorld, KprobeArgs, FoundKprobe>('enable_kprobe', (words) => {
  const { holding, refuse, step, when, attempt, call } = words;
  return [
    holding('kprobe_mutex', [
      refuse('EINVAL', 'the kprobe is not registered', (k, locals) => !findAddress(k, locals)),
      refuse('EINVAL', 'its module has gone', (k, { kprobe }) => entry(k.probes.kprobes, kprobe).gone),
      step('enable the kprobe', (k, { kprobe }) => setDisabled(k, kprobe, false)),
      when(
        'the address is disabled',
        (k, locals) => entry(k.probes.kprobeTable, addressNow(k, locals)).disabled,
        [
          step('mark the address enabled', (k, locals) => {
            entry(k.probes.kprobeTable, addressNow(k, locals)).disabled = false;
          }),
          armKprobe(words, [
            attempt(
              [call(armKprobeFtrace, (_, { ip }) => ({ ip }))],
              [
                step('disable both again', (k, locals) => {
                  setDisabled(k, locals.kprobe, true);
                  disableAddress(k, locals);
                }),
              ],
            ),
          ]),
        ],
      ),
    ]),
  ];
});

/** __get_valid_kprobe(): finds the probe in a list or alone, unless its address has been cleared. */
export function findAddress(k: ProbeView, locals: FoundKprobe): boolean {
  const found = k.probes.kprobes[locals.kprobe]?.ip === '' ? undefined : addressOf(k, locals.kprobe);
  if (found !== undefined) locals.ip = found;
  return found !== undefined;
}

/** The address by its present name: its module may have been unloaded since. */
export function addressNow(k: ProbeView, { kprobe, ip }: FoundKprobe): Ip {
  return k.probes.kprobeTable[ip] === undefined ? (addressOf(k, kprobe) ?? ip) : ip;
}

/** The entry of the table whose list has the kprobe. */
function addressOf(k: ProbeView, kprobe: KprobeId): Ip | undefined {
  return Object.entries(k.probes.kprobeTable).find(([, site]) => site.probes.includes(kprobe))?.[0];
}

/** A probe that is alone at its address has one flag, and is disabled when it has been disarmed. */
export function disableInList(k: ProbeWorld, locals: FoundKprobe): void {
  if (entry(k.probes.kprobeTable, addressNow(k, locals)).aggregate) setDisabled(k, locals.kprobe, true);
}

/** The address is armed, and no probe needs it: the only one, or aggr_kprobe_disabled(). */
export function othersDisabled(k: ProbeView, locals: FoundKprobe): boolean {
  const site = entry(k.probes.kprobeTable, addressNow(k, locals));
  return !site.disabled && (!site.aggregate || allDisabled(k, site));
}

function allDisabled(k: ProbeView, { probes }: DeepReadonly<KprobeSite>): boolean {
  return probes.every((name) => entry(k.probes.kprobes, name).disabled);
}

export function disableAddress(k: ProbeWorld, locals: FoundKprobe): void {
  const site = entry(k.probes.kprobeTable, addressNow(k, locals));
  site.disabled = true;
  if (!site.aggregate) setDisabled(k, locals.kprobe, true);
}

export function setDisabled(k: ProbeWorld, kprobe: KprobeId, disabled: boolean): void {
  entry(k.probes.kprobes, kprobe).disabled = disabled;
}

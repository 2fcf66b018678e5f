import type { Ip } from '../core/ids.ts';
import { entry } from '../core/present.ts';
import { routine } from '../core/routine.ts';
import { isInBody } from '../text/body-address.ts';
import { optimizeKprobe, unoptimizeKprobe } from './kprobe-optimizer.ts';
import { prepareOptprobe } from './optprobe.ts';
import type { ProbeView, ProbeWorld } from './probes.ts';

/*
 * `debug.kprobes-optimization`, kernel/kprobes.c.
 */

interface SysctlArgs {
  value: boolean;
}

interface SysctlLocals extends SysctlArgs {
  ip: Ip;
}

/** proc_kprobes_optimization_handler(): optimize_all_kprobes() or unoptimize_all_kprobes(). */
export const kprobesOptimization = routine<ProbeWorld, SysctlArgs, SysctlLocals>(
  'proc_kprobes_optimization_handler',
  ({ holding, finish, step, each, call, when, wait }) => [
    holding('kprobe_mutex', [
      finish('nothing changes', (k, { value }) => (k.probes.optimizer?.allowed ?? false) === value),
      step('allow or prohibit', allow),
      each<Ip>(
        'kprobe that is enabled',
        enabledInBodies,
        (locals, ip) => {
          locals.ip = ip;
        },
        [
          when(
            'it is allowed',
            (_, { value }) => value,
            [call(optimizeKprobe, (_, { ip }) => ({ ip }))],
            [call(unoptimizeKprobe, (_, { ip }) => ({ ip, force: false }))],
          ),
        ],
      ),
    ]),
    // wait_for_kprobe_optimizer(), which waits as the optimiser does.
    when('it is prohibited', (_, { value }) => !value, [wait('rcu_tasks', isIdle)]),
  ],
);

/** Detours are made for kprobes as they are registered, in the kernel whatever the switch says. */
function allow(k: ProbeWorld, { value }: SysctlLocals): void {
  const { probes } = k;
  probes.optimizer ??= { allowed: value, kicked: false, made: 0, ops: {} };
  probes.optimizer.allowed = value;
  for (const ip of Object.keys(probes.kprobeTable)) if (isInBody(ip)) prepareOptprobe(k, ip);
}

function enabledInBodies(k: ProbeView): Ip[] {
  return Object.keys(k.probes.kprobeTable).filter(
    (ip) => isInBody(ip) && !entry(k.probes.kprobeTable, ip).disabled,
  );
}

function isIdle(k: ProbeView): boolean {
  return Object.values(k.probes.optimizer?.ops ?? {}).every(
    ({ list }) => list === 'none' || list === 'freeing',
  );
}

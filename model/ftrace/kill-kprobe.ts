import type { Ip } from '../core/ids.ts';
import { entry } from '../core/present.ts';
import { routine } from '../core/routine.ts';
import { isInBody } from '../text/body-address.ts';
import { disarmKprobeFtrace } from './arm-kprobe.ts';
import { leaveTable } from './kprobe-table.ts';
import { isUnused, killOptprobe } from './optprobe.ts';
import type { ProbeWorld } from './probes.ts';

/**
 * kill_kprobe(), from kprobes_module_callback() with `kprobe_mutex` held: the module of a probed function is
 * unloaded. A call site is disarmed while ftrace still has its record; an int3 goes with the text. The probes stay
 * registered (GONE) and never fire again; only unregister_kprobe() takes them out of the table.
 */
export const killKprobe = routine<ProbeWorld, { ip: Ip }>('kill_kprobe', ({ when, call, step }) => [
  when(
    'it is armed through ftrace',
    (k, { ip }) => !isInBody(ip) && !entry(k.probes.kprobeTable, ip).disabled,
    [
      call(
        disarmKprobeFtrace,
        (_, { ip }) => ({ ip }),
        () => {},
      ),
    ],
  ),
  step('mark it gone', (k, { ip }) => {
    const site = entry(k.probes.kprobeTable, ip);
    killOptprobe(k, site);
    if (isUnused(site)) leaveTable(k, ip);
    site.disabled = true;
    for (const name of site.probes)
      Object.assign(entry(k.probes.kprobes, name), { disabled: true, gone: true });
  }),
]);

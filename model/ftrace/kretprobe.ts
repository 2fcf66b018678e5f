import { routine } from '../core/routine.ts';
import type { Ended } from '../core/world.ts';
import { registerKprobe, unregisterKprobe } from './kprobe.ts';
import type { ProbeWorld } from './probes.ts';
import { rethookAlloc, rethookFree } from './rethook.ts';

interface KretprobeArgs {
  kretprobe: string;
  ip: string;
  maxactive: number;
  entryHandler: boolean;
}

/** Default of `maxactive`: two for each possible CPU, at least ten. */
const MAXACTIVE_DEFAULT = 10;

/** The kprobe inside a kretprobe. */
function kprobeOf(kretprobe: string): string {
  return `${kretprobe}.kp`;
}

/** register_kretprobe(), kernel/kprobes.c. */
export const registerKretprobe = routine<ProbeWorld, KretprobeArgs>(
  'register_kretprobe',
  ({ refuse, allocate, step, attempt, call }) => [
    refuse('EINVAL', 'the address is no function entry', (k, { ip }) => k.ftrace.records[ip] === undefined),
    refuse('EINVAL', 'the kretprobe is registered', (k, { kretprobe }) =>
      Object.values(k.probes.kprobeTable).some(({ probes }) => probes.includes(kprobeOf(kretprobe))),
    ),
    allocate('the pool of return hooks'),
    step('make the pool', (k, { kretprobe, maxactive, entryHandler }) => {
      const nodes = maxactive > 0 ? maxactive : MAXACTIVE_DEFAULT;
      rethookAlloc(k, kretprobe, nodes);
      k.probes.kretprobes[kretprobe] = { maxactive: nodes, entryHandler, nmissed: 0 };
    }),
    attempt(
      [
        call(registerKprobe, (_, { kretprobe, ip }) => ({
          kprobe: kprobeOf(kretprobe),
          ip,
          post: false,
          retprobe: kretprobe,
        })),
      ],
      [
        step('free the pool', (k, { kretprobe }) => {
          rethookFree(k, kretprobe);
          delete k.probes.kretprobes[kretprobe];
        }),
      ],
    ),
  ],
);

/** unregister_kretprobe(). Calls that are under way still come back through the trampoline. */
export const unregisterKretprobe = routine<ProbeWorld, { kretprobe: string }>(
  'unregister_kretprobe',
  ({ call, step, wait }) => [
    call(unregisterKprobe, (_, { kretprobe }) => ({ kprobe: kprobeOf(kretprobe) }), ignore),
    step('free the pool', (k, { kretprobe }) => rethookFree(k, kretprobe)),
    wait('rcu'),
    step('forget the kretprobe', (k, { kretprobe }) => {
      if (k.probes.kprobes[kprobeOf(kretprobe)] === undefined) delete k.probes.kretprobes[kretprobe];
    }),
  ],
);

function ignore(_k: ProbeWorld, _at: object, _errno: Ended): void {}

import type { Ip, KprobeId, KretprobeId } from '../core/ids.ts';
import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import { registerKprobe } from './kprobe.ts';
import type { ProbeView, ProbeWorld } from './probes.ts';
import { rethookAlloc, rethookFree } from './rethook.ts';
import type { LeavingKprobe } from './unregister-kprobe.ts';
import { forgetKprobe, unregisterKprobeTop } from './unregister-kprobe.ts';

interface KretprobeArgs {
  kretprobe: KretprobeId;
  ip: Ip;
  maxactive: number;
  entryHandler: boolean;
}

/** Default of `maxactive`: two for each possible CPU, at least ten. */
const MAXACTIVE_DEFAULT = 10;

/** The kprobe inside a kretprobe. */
export function kprobeOf(kretprobe: KretprobeId): KprobeId {
  return `${kretprobe}.kp`;
}

/** Kretprobes keep their returns on the shadow stack of function graph, and need no pool of nodes. */
export function isOnStack({ profile }: ProbeView): boolean {
  return profileNamed(profile).kretprobe === 'ret_stack';
}

function isFirstOnStack(k: ProbeView): boolean {
  return isOnStack(k) && k.fgraph.active === 0 && Object.keys(k.probes.kretprobes).length === 0;
}

/** register_kretprobe(), kernel/kprobes.c. */
export const registerKretprobe = routine<ProbeWorld, KretprobeArgs>('register_kretprobe', (words) => {
  const { refuse, allocate, when, holding, step, attempt, call } = words;
  return [
    refuse('EINVAL', 'the address is no function entry', (k, { ip }) => k.ftrace.records[ip] === undefined),
    holding('kprobe_mutex', [
      refuse('EINVAL', 'the kretprobe is registered', (k, { kretprobe }) =>
        Object.values(k.probes.kprobeTable).some(({ probes }) => probes.includes(kprobeOf(kretprobe))),
      ),
    ]),
    allocate('the pool of return hooks'),
    when('it is the first on the shadow stack', isFirstOnStack, [allocate('shadow stacks for all tasks')]),
    step('make the pool', (k, { kretprobe, maxactive, entryHandler }) => {
      const nodes = maxactive > 0 ? maxactive : MAXACTIVE_DEFAULT;
      rethookAlloc(k, kretprobe, isOnStack(k) ? 0 : nodes);
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
        ...rethookFree(words, (locals) => locals.kretprobe),
        step('forget the kretprobe', (k, { kretprobe }) => {
          delete k.probes.kretprobes[kretprobe];
        }),
      ],
    ),
  ];
});

/** unregister_kretprobe(). Calls that are under way still come back through the trampoline. */
export const unregisterKretprobe = routine<ProbeWorld, LeavingKprobe & { kretprobe: KretprobeId }>(
  'unregister_kretprobe',
  (words) => {
    const { holding, step, wait } = words;
    return [
      step('look at its kprobe', (_, locals) => {
        locals.kprobe = kprobeOf(locals.kretprobe);
      }),
      holding('kprobe_mutex', [
        unregisterKprobeTop(words),
        ...rethookFree(words, (locals) => locals.kretprobe),
      ]),
      wait('rcu'),
      step('forget the kretprobe', (k, locals) => {
        forgetKprobe(k, locals);
        if (k.probes.kprobes[locals.kprobe] === undefined) delete k.probes.kretprobes[locals.kretprobe];
      }),
    ];
  },
);

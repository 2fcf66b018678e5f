import type { Ip, KprobeId, KretprobeId } from '../core/ids.ts';
import { entry } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import { functionOf } from '../text/body-address.ts';
import { isLoaded } from '../text/module.ts';
import { isRegistered, registerKprobe } from './kprobe.ts';
import type { ProbeView, ProbeWorld } from './probes.ts';
import { rethookAlloc, rethookFree } from './rethook.ts';
import type { LeavingKprobe } from './unregister-kprobe.ts';
import { forgetKprobe, unregisterKprobeTop } from './unregister-kprobe.ts';

/*
 * Kretprobes: a kprobe at the function's entry whose pre_handler hooks the return. Until a client unregisters, up
 * to `maxactive` calls can be under way at once; a call beyond that is counted in `nmissed` and not hooked.
 */

interface KretprobeArgs {
  kretprobe: KretprobeId;
  ip: Ip;
  maxactive: number;
  entryHandler: boolean;
  vetoes?: true;
  /** `KPROBE_FLAG_DISABLED`. */
  disabled?: boolean;
  /** The perf event that it is of. */
  event?: string;
}

/** The least default of `maxactive`, which has two for each possible CPU. */
const MAXACTIVE_LEAST = 10;

/** `rp->kp`: the kprobe embedded in a kretprobe. */
export function kprobeOf(kretprobe: KretprobeId): KprobeId {
  return `${kretprobe}.kp`;
}

/** The proposal of 2021: returns are kept on the shadow stack of function graph, with no pool of nodes. */
export function isOnStack({ profile }: ProbeView): boolean {
  return profileNamed(profile).kretprobe === 'ret_stack';
}

/** The first user of the shadow stacks allocates them for all tasks. */
function isFirstOnStack(k: ProbeView): boolean {
  return isOnStack(k) && k.fgraph.active === 0 && Object.keys(k.probes.kretprobes).length === 0;
}

function makePool(k: ProbeWorld, { kretprobe, maxactive, entryHandler, vetoes, event }: KretprobeArgs): void {
  const nodes = maxactive > 0 ? maxactive : Math.max(MAXACTIVE_LEAST, 2 * k.probes.possibleCpus);
  const own = { ...(vetoes === true ? { vetoes } : {}), ...(event === undefined ? {} : { event }) };
  rethookAlloc(k, kretprobe, isOnStack(k) ? 0 : nodes);
  k.probes.kretprobes[kretprobe] = { maxactive: nodes, entryHandler, nmissed: 0, ...own };
}

/**
 * warn_kprobe_rereg() before the pool is made. The address that a client has written is that of the symbol; with `endbr64`
 * the table has that of the call site, and the kprobe of one that could not be disarmed is found by register_kprobe() alone.
 */
function isFoundByItsAddress(k: ProbeWorld, args: KretprobeArgs): boolean {
  const { kretprobe, ip, entryHandler, vetoes, disabled = false } = args;
  const kprobe = kprobeOf(kretprobe);
  const stays = k.probes.kprobes[kprobe]?.stays === true;
  if (stays && k.text.siteOffset > 0) return false;
  if (!isRegistered(k, { kprobe, ip, post: false, disabled })) return false;
  const { vetoes: _, ...memory } = entry(k.probes.kretprobes, kretprobe);
  if (stays)
    k.probes.kretprobes[kretprobe] = { ...memory, entryHandler, ...(vetoes === true ? { vetoes } : {}) };
  return true;
}

/** `rp->rh = NULL`: the handler of one that is in the table follows it. */
function forgetPool(k: ProbeWorld, { kretprobe, ip }: KretprobeArgs): void {
  const isListed = k.probes.kprobeTable[ip]?.probes.includes(kprobeOf(kretprobe)) === true;
  if (isListed)
    k.probes.kretprobes[kretprobe] = { ...entry(k.probes.kretprobes, kretprobe), withoutPool: true };
  else delete k.probes.kretprobes[kretprobe];
}

/**
 * register_kretprobe(), kernel/kprobes.c. The check for a second registration and the pool come before
 * register_kprobe(), which checks the rest. A failure frees the pool through rethook_free(), after an RCU grace
 * period.
 */
export const registerKretprobe = routine<ProbeWorld, KretprobeArgs>('register_kretprobe', (words) => {
  const { refuse, allocate, when, holding, step, attempt, call } = words;
  return [
    // kprobe_on_func_entry().
    refuse('ENOENT', 'no symbol has the address', (k, { ip }) => !isLoaded(k, functionOf(ip))),
    refuse('EINVAL', 'the address is no function entry', (k, { ip }) => k.ftrace.records[ip] === undefined),
    holding('kprobe_mutex', [refuse('EINVAL', 'the kretprobe is registered', isFoundByItsAddress)]),
    allocate('the pool of return hooks'),
    when('it is the first on the shadow stack', isFirstOnStack, [allocate('shadow stacks for all tasks')]),
    // Before the kprobe: its pre_handler takes a node on the first hit.
    step('make the pool', makePool),
    attempt(
      [
        call(registerKprobe, (_, { kretprobe, ip, disabled = false }) => ({
          kprobe: kprobeOf(kretprobe),
          ip,
          post: false,
          disabled,
          retprobe: kretprobe,
        })),
      ],
      [...rethookFree(words, (locals) => locals.kretprobe), step('forget the pool', forgetPool)],
    ),
  ];
});

/**
 * unregister_kretprobes(), `kprobe_mutex` held for the first half. The pool is stopped even if the kprobe could
 * not be disarmed. Calls under way still return through the trampoline: their nodes outlive the kretprobe, and
 * rethook frees each when it is recycled.
 */
export const unregisterKretprobe = routine<
  ProbeWorld,
  { kretprobe: KretprobeId },
  LeavingKprobe & { kretprobe: KretprobeId }
>('unregister_kretprobe', (words) => {
  const { holding, step, wait } = words;
  return [
    step('read its kprobe', (_, locals) => {
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
});

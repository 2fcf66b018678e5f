import type { Errno } from '../core/errno.ts';
import type { Ip, KprobeId } from '../core/ids.ts';
import { InputError } from '../core/input-error.ts';
import type { Part } from '../core/part.ts';
import { entry, present } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import { functionOf, isInBody, probedAt } from '../text/body-address.ts';
import { isLoaded, moduleOf, modulePut, tryModuleGet } from '../text/module.ts';
import { armKprobe, armKprobeFtrace } from './arm-kprobe.ts';
import { optimizeKprobe, unoptimizeKprobe } from './kprobe-optimizer.ts';
import { enterTable, getKprobe, leaveTable } from './kprobe-table.ts';
import { isUnused, prepareOptprobe } from './optprobe.ts';
import type { KprobeSite, ProbeView, ProbeWorld } from './probes.ts';

/*
 * register_kprobe(): the table of kprobes, aggregates, and arming (`arm-kprobe.ts` has the picture).
 */

interface KprobeArgs {
  kprobe: KprobeId;
  ip: Ip;
  post: boolean;
  /** `KPROBE_FLAG_DISABLED`: it is entered and not armed. */
  disabled: boolean;
  /** The kretprobe that embeds it; empty: a plain kprobe. */
  retprobe: string;
  /** At an instruction of a body: `KprobeSite.code`; empty: none begins there. */
  code?: readonly string[];
  /** The perf event that it is of. */
  event?: string;
}

type RegisteredAgain = Pick<KprobeArgs, 'kprobe' | 'ip' | 'post' | 'disabled'>;

interface KprobeLocals extends KprobeArgs {
  /** Whether try_module_get() took a reference on the module of the address. */
  held: boolean;
  /** The errno of arming it. */
  errno?: Errno | 0;
}

/**
 * register_kprobe(), kernel/kprobes.c, for the call site of a traced function or an instruction of its body:
 * _kprobe_addr(), which looks into kallsyms, warn_kprobe_rereg(), check_kprobe_address_safe(), in this order. The reference on the module is
 * dropped at the end: a kprobe does not pin its module, and kill_kprobe() runs when the module goes.
 */
export const registerKprobe = routine<ProbeWorld, KprobeArgs, KprobeLocals>('register_kprobe', (words) => {
  const { refuse, refuseWith, holding, attempt, step } = words;
  return [
    refuse('ENOENT', 'no symbol has the address', (k, { ip }) => !isLoaded(k, functionOf(ip))),
    refuse('EINVAL', 'the address is no instruction', isNoText),
    holding('kprobe_mutex', [refuse('EINVAL', 'the kprobe is registered', isRegistered)]),
    step('initialise the kprobe', (k, { kprobe, ip, post, retprobe, disabled, event }) => {
      const own = event === undefined ? {} : { event };
      k.probes.kprobes[kprobe] = { ip, post, retprobe, disabled, gone: false, nmissed: 0, ...own };
    }),
    step('hold its module', (k, locals) => {
      locals.held = tryModuleGet(k, [functionOf(locals.ip)]);
    }),
    refuseWith(['ENOENT', 'EINVAL'], 'its module is going, or has gone', (k, { held, ip }) => {
      if (held !== false) return undefined;
      return isLoaded(k, functionOf(ip)) ? 'ENOENT' : 'EINVAL';
    }),
    attempt([holding('kprobe_mutex', registerLocked(words))], [putModule(words)]),
    putModule(words),
  ];
});

function putModule({ step }: RoutineWords<ProbeWorld, KprobeLocals>): Part {
  return step('put its module', (k, { ip }) => modulePut(k, [functionOf(ip)]));
}

/**
 * Text of neither the kernel nor a module: a BPF program is none. ftrace has no record of a call site whose module goes,
 * and bodies are there for a while longer.
 */
function isNoText(k: ProbeView, { ip }: KprobeArgs): boolean {
  const fn = functionOf(ip);
  return k.ftrace.records[fn] === undefined && (ip === fn || moduleOf(k, fn) === undefined);
}

/** 7.2 forgets the errno of arming (`kprobeErrorLost`) and answers 0 for a probe that never fires. */
function registerLocked(words: RoutineWords<ProbeWorld, KprobeLocals>): Part[] {
  const { refuse, when, step, allocate, call, holding } = words;
  return [
    when(
      'another is there',
      (k, { ip }) => getKprobe(k, ip) !== undefined,
      [
        when('it is not an aggregate yet', (k, { ip }) => !entry(k.probes.kprobeTable, ip).aggregate, [
          allocate('an aggregate'),
        ]),
        when('its last kprobe has left', (k, { ip }) => isUnused(entry(k.probes.kprobeTable, ip)), [
          // reuse_unused_kprobe().
          step('rescue the address', (k, { ip }) => {
            entry(k.probes.kprobeTable, ip).disabled = false;
          }),
          call(optimizeKprobe, (_, { ip }) => ({ ip })),
        ]),
        when('a post_handler forbids a jump', forbidsJump, [
          holding('text_mutex', [call(unoptimizeKprobe, (_, { ip }) => ({ ip, force: true }))]),
        ]),
        step('join the aggregate', joinAggregate),
        when('it is the first that is enabled', isFirstEnabled, armAgain(words)),
      ],
      armFirst(words),
    ),
    refuse('EBUSY', 'the ops of kprobes could not be registered', (k, locals) =>
      reported(k, locals, 'EBUSY'),
    ),
    refuse('ENODEV', 'ftrace is dead', (k, locals) => reported(k, locals, 'ENODEV')),
    refuse('EAGAIN', 'a direct call cannot share now', (k, locals) => reported(k, locals, 'EAGAIN')),
    refuse('ENOMEM', 'no memory to arm it', (k, locals) => reported(k, locals, 'ENOMEM')),
  ];
}

/** In the table before it is armed: if arming fails, handlers that found it are waited for. */
function armFirst(words: RoutineWords<ProbeWorld, KprobeLocals>): Part[] {
  const { step, attempt, call, when, wait, holding, refuse } = words;
  return [
    when('it is at no call site', (_, { ip }) => isInBody(ip), [
      // arch_prepare_kprobe().
      holding('text_mutex', [refuse('EILSEQ', 'no instruction begins there', isWithinInstruction)]),
    ]),
    step('enter the table', (k, { kprobe, ip, post, disabled, code }) => {
      enterTable(k, ip, {
        probes: [kprobe],
        aggregate: false,
        post,
        disabled,
        damaged: [],
        ...(isInBody(ip) ? { code: present(code, ip) } : {}),
      });
    }),
    when('it is enabled', (_, { disabled }) => !disabled, [
      armKprobe(words, [attempt([call(armKprobeFtrace, (_, { ip }) => ({ ip }), keepError)], [])]),
    ]),
    when('it could not be armed', (_, locals) => failed(locals), [
      step('leave the table', (k, { ip }) => {
        leaveTable(k, ip);
      }),
      wait('rcu'),
    ]),
    when('it may be optimised', (k, { ip }) => isInBody(ip) && k.probes.optimizer !== null, [
      // try_to_optimize_kprobe().
      holding('text_mutex', [
        step('make its detour', (k, { ip }) => prepareOptprobe(k, ip)),
        call(optimizeKprobe, (_, { ip }) => ({ ip })),
      ]),
    ]),
  ];
}

/**
 * register_aggr_kprobe() at an address whose probes are all disabled. A refusal takes the probe off the list; the
 * aggregate keeps its post_handler, and with it asks for IPMODIFY when another probe is enabled.
 */
function armAgain(words: RoutineWords<ProbeWorld, KprobeLocals>): Part[] {
  const { step, attempt, call, wait } = words;
  return [
    step('mark the address enabled', (k, { ip }) => {
      entry(k.probes.kprobeTable, ip).disabled = false;
    }),
    armKprobe(words, [
      attempt(
        [call(armKprobeFtrace, (_, { ip }) => ({ ip }))],
        [
          step('leave the aggregate', (k, { kprobe, ip }) => {
            const site = entry(k.probes.kprobeTable, ip);
            site.disabled = true;
            site.probes = site.probes.filter((name) => name !== kprobe);
          }),
          wait('rcu'),
        ],
      ),
    ]),
  ];
}

/** add_new_kprobe(): an address with a post_handler keeps its int3. */
function forbidsJump(k: ProbeView, { ip, post }: KprobeLocals): boolean {
  return post && entry(k.probes.kprobeTable, ip).optprobe !== undefined;
}

/** can_probe() decodes the function from its beginning, other kprobes' int3 as the instructions that they replace. */
function isWithinInstruction(k: ProbeView, { ip, code = [] }: KprobeLocals): boolean {
  const { name, offset } = probedAt(ip);
  // arch_adjust_kprobe_addr(): the offset of `endbr64` is that of the entry, which has one name here.
  if (offset === k.text.siteOffset)
    throw new InputError(`${ip} is the call site of ${name}: write ${name}`, ip);
  return code.length === 0;
}

function isFirstEnabled(k: ProbeView, { ip, disabled }: KprobeLocals): boolean {
  return !disabled && entry(k.probes.kprobeTable, ip).disabled;
}

function keepError(_: ProbeView, locals: KprobeLocals, errno: Errno | 0): void {
  locals.errno = errno;
}

function failed(locals: KprobeLocals): boolean {
  return locals.errno !== undefined && locals.errno !== 0;
}

/** The errno of arming, unless this kernel drops it. */
function reported(k: ProbeView, locals: KprobeLocals, errno: Errno): boolean {
  return locals.errno === errno && !profileNamed(k.profile).kprobeErrorLost;
}

/** warn_kprobe_rereg(): the same object registered again. */
export function isRegistered(k: ProbeWorld, args: RegisteredAgain): boolean {
  const { kprobe, ip } = args;
  const site = k.probes.kprobeTable[ip];
  if (site === undefined || !site.probes.includes(kprobe)) return false;
  if (entry(k.probes.kprobes, kprobe).stays === true) writeAgain(k, site, args);
  warn(k, { is: 'kprobe registered again' });
  return true;
}

/**
 * A probe that could not be disarmed stays listed while its client takes it for free: it writes its address, handler and flag
 * for the registration that is refused, and clears the rest, and with it the link to the next probe of the list.
 */
function writeAgain(k: ProbeWorld, site: KprobeSite, { kprobe, ip, post, disabled }: RegisteredAgain): void {
  const probe = entry(k.probes.kprobes, kprobe);
  if (site.aggregate && probe.ip === '') site.damaged = [...site.damaged, kprobe];
  k.probes.kprobes[kprobe] = { ...probe, ip, post, disabled };
  if (!site.aggregate) Object.assign(site, { post, disabled });
}

/** register_aggr_kprobe(): the address stays armed by its ops, even if this is the first with a post_handler. */
function joinAggregate(k: ProbeWorld, { kprobe, ip, post }: KprobeArgs): void {
  const site = entry(k.probes.kprobeTable, ip);
  site.aggregate = true;
  site.probes.unshift(kprobe);
  if (post) site.post = true;
}

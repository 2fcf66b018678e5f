import { withoutKeys } from '../core/fixed-keys.ts';
import type { FunctionName, Ip } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import { entry } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import { functionOf } from '../text/body-address.ts';
import type { Module } from '../text/module.ts';
import { freeText, goneAddress, loadText } from '../text/module.ts';
import type { Poke } from '../text/poke.ts';
import { textPokeFlush } from '../text/poke.ts';
import { NOP5, siteOf } from '../text/text.ts';
import { ftraceGetAddrNew } from './accounting.ts';
import { opsOnList, opsReferencesIp } from './filter-hash.ts';
import { leaveFprobes } from './fprobe-graph.ts';
import { killKprobe } from './kill-kprobe.ts';
import type { Hash } from './ops.ts';
import { FTRACE_OPS_FL_DIRECT, FTRACE_OPS_FL_IPMODIFY, FTRACE_OPS_FL_SAVE_REGS } from './ops.ts';
import type { ProbeView, ProbeWorld } from './probes.ts';
import type { DynFtrace } from './record.ts';
import { FTRACE_FL_DISABLED, FTRACE_FL_REGS, FTRACE_FL_TRAMP, ftraceUpdateRecord } from './record.ts';
import { callTo, isFtraceBug } from './update-code.ts';
import type { FtraceView, FtraceWorld } from './world.ts';

/*
 * Modules that are loaded and unloaded: init_module() and delete_module() in kernel/module/main.c, and what
 * kprobes, fprobes and ftrace do then. A module has neither an init nor an exit function here.
 *
 * ```text
 *   load     text appears -> records (disabled) -> ops that trace everything are counted, sites patched
 *   unload   refcnt is 0 -> kill_kprobe() -> fprobe_module_callback() -> ftrace_release_mod() -> RCU -> text freed
 * ```
 *
 * ftrace_release_mod() deletes the records and leaves hashes and direct_functions alone: they keep addresses of
 * text that is gone. Direct calls and IPMODIFY ops do not follow a module that is loaded again.
 */

interface ModuleArgs {
  module: string;
}

interface ModuleLocals extends ModuleArgs {
  ip: Ip;
}

function functionsOf(k: FtraceView, { module }: ModuleArgs): readonly string[] {
  return entry(k.text.modules, module).functions;
}

/**
 * init_module(): the text appears, and then its records. The kernel drops `module_mutex` after
 * add_unformed_module(), makes the records before kallsyms shows the module (complete_formation()), and enables them
 * at once (prepare_coming_module()); here the lock represents a module that is not yet LIVE.
 */
export const initModule = routine<ProbeWorld, ModuleArgs>(
  'init_module',
  ({ holding, refuse, step, call }) => [
    holding('module_mutex', [
      refuse('EEXIST', 'the module is loaded', (k, { module }) => entry(k.text.modules, module).live),
      step('load its text', (k, { module }) => loadText(k, entry(k.text.modules, module))),
      call(ftraceModuleEnable, (_, { module }) => ({ module })),
    ]),
  ],
);

interface EnableLocals extends ModuleArgs {
  pokes: readonly Poke[];
}

/**
 * ftrace_module_init() and ftrace_module_enable(): new records, DISABLED until both have run, and the ops that
 * trace everything trace them at once. `kernel.ftrace_enabled` is not checked: sites are patched even while it is
 * 0.
 */
const ftraceModuleEnable = routine<FtraceWorld, ModuleArgs, EnableLocals>(
  'ftrace_module_enable',
  ({ finish, step, when, holding, call }) => [
    holding('ftrace_lock', [
      finish('ftrace is dead', (k) => k.ftrace.disabled),
      step('make its records', (k, locals) => {
        const made = functionsOf(k, locals).map(
          (fn) => [fn, { count: 0, flags: FTRACE_FL_DISABLED }] as const,
        );
        k.ftrace.records = { ...k.ftrace.records, ...Object.fromEntries(made) };
      }),
      when(
        'ops are registered',
        (k) => k.ftrace.startUp > 0,
        [
          holding('text_mutex', [
            step('enable its records', enableRecords),
            call(textPokeFlush, (_, { pokes }) => ({ pokes })),
          ]),
        ],
        [step('enable its records, without ops', enableRecords)],
      ),
    ]),
  ],
);

/**
 * One record after the other: a site that holds another instruction kills ftrace (__ftrace_replace_code()). Its
 * record says by then that it is patched; the sites before it are, and the records after it stay DISABLED.
 */
function enableRecords(k: FtraceWorld, locals: EnableLocals): void {
  const pokes: Poke[] = [];
  locals.pokes = pokes;
  for (const fn of functionsOf(k, locals)) {
    const rec = entry(k.ftrace.records, fn);
    referencedFilters(k, fn, rec);
    rec.flags &= ~FTRACE_FL_DISABLED;
    if (rec.count === 0) continue;
    const to = callTo(k, fn, ftraceGetAddrNew(k, fn));
    ftraceUpdateRecord(rec, true);
    if (isFtraceBug(k, fn, NOP5)) return;
    pokes.push({ place: siteOf(fn), to });
  }
}

/** referenced_filters(): a direct or IPMODIFY ops whose filter names the function warns, and is not counted. */
function referencedFilters(k: FtraceWorld, fn: FunctionName, rec: DynFtrace): void {
  for (const name of k.ftrace.opsList) {
    const { flags, trampoline } = opsOnList(k, name);
    if (!opsReferencesIp(k, name, fn)) continue;
    if ((flags & (FTRACE_OPS_FL_DIRECT | FTRACE_OPS_FL_IPMODIFY)) !== 0) {
      warn(k, { is: 'waits for a loaded function', ops: name, ip: fn });
      continue;
    }
    rec.count++;
    if ((flags & FTRACE_OPS_FL_SAVE_REGS) !== 0) rec.flags |= FTRACE_FL_REGS;
    if (rec.count === 1 && trampoline !== '') rec.flags |= FTRACE_FL_TRAMP;
    else rec.flags &= ~FTRACE_FL_TRAMP;
  }
}

/**
 * delete_module(): refused while the module is held (EWOULDBLOCK, which is EAGAIN). The kernel drops
 * `module_mutex` after try_stop_module() and refuses new references by MODULE_STATE_GOING; here the lock
 * represents that state.
 */
export const deleteModule = routine<ProbeWorld, ModuleArgs, ModuleLocals>('delete_module', (words) => {
  const { holding, refuse } = words;
  return [
    holding('module_mutex', [
      refuse('ENOENT', 'no such module is loaded', (k, { module }) => !entry(k.text.modules, module).live),
      refuse('EAGAIN', 'the module is held', (k, { module }) => entry(k.text.modules, module).refcnt > 0),
      ...letGo(words),
    ]),
  ];
});

/** The notifiers of the going module, in their order, and the grace periods before its text is freed. */
function letGo({ holding, each, when, step, call, wait }: RoutineWords<ProbeWorld, ModuleLocals>): Part[] {
  return [
    holding('kprobe_mutex', [
      each(
        'kprobe in the module',
        kprobesIn,
        (locals, ip: Ip) => {
          locals.ip = ip;
        },
        [call(killKprobe, (_, { ip }) => ({ ip }))],
      ),
    ]),
    when('fprobes are notified', (k) => profileNamed(k.profile).fprobe === 'fgraph', [
      call(leaveFprobes, (k, locals) => ({ ips: functionsOf(k, locals) })),
    ]),
    holding('ftrace_lock', [
      // The records go; hashes and direct_functions keep the addresses.
      step('ftrace_release_mod', (k, locals) => {
        if (!k.ftrace.disabled) k.ftrace.records = withoutKeys(k.ftrace.records, functionsOf(k, locals));
      }),
    ]),
    when('records have gone', (k) => !k.ftrace.disabled, [wait('rcu')]),
    wait('rcu'),
    step('free its text', (k, locals) => {
      freeText(k, entry(k.text.modules, locals.module));
      forgetAddresses(k, entry(k.text.modules, locals.module));
    }),
  ];
}

/** The addresses in a module that have kprobes. */
function kprobesIn(k: ProbeView, locals: ModuleLocals): Ip[] {
  return functionsOf(k, locals).flatMap((fn) =>
    Object.keys(k.probes.kprobeTable).filter((ip) => functionOf(ip) === fn),
  );
}

/** Hashes and tables keep the addresses; from now on nothing is there. */
function forgetAddresses(k: ProbeWorld, { functions, unloads }: Module): void {
  const ip = (old: Ip) => (functions.includes(functionOf(old)) ? goneAddress(old, unloads) : old);
  const hash = (old: Hash): Hash => [...new Set(old.map(ip))].sort();
  const keys = <T>(table: Record<string, T>) =>
    Object.fromEntries(Object.entries(table).map(([fn, entry]) => [ip(fn), entry]));
  for (const ops of Object.values(k.ftrace.ops)) {
    ops.filter = hash(ops.filter);
    ops.notrace = hash(ops.notrace);
  }
  k.ftrace.directFunctions = keys(k.ftrace.directFunctions);
  k.probes.kprobeTable = keys(k.probes.kprobeTable);
  for (const [name, kprobe] of Object.entries(k.probes.kprobes))
    k.probes.kprobes[name] = { ...kprobe, ip: ip(kprobe.ip) };
  for (const [name, fprobe] of Object.entries(k.probes.fprobes))
    k.probes.fprobes[name] = { ...fprobe, ips: fprobe.ips.map(ip) };
}

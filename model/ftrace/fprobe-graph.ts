import type { FprobeId, Ip } from '../core/ids.ts';
import { entry } from '../core/present.ts';
import { routine } from '../core/routine.ts';
import { fails, warn } from '../core/world.ts';
import { functionOf } from '../text/body-address.ts';
import { isLoaded } from '../text/module.ts';
import { addIps, removeIps, SHARED_USERS, userOf } from './fprobe-users.ts';
import type { FprobeArgs, ProbeView, ProbeWorld } from './probes.ts';
import { enterFprobe, isFprobeRegistered } from './probes.ts';

/*
 * Fprobes on function graph (6.14 and later), kernel/trace/fprobe.c: all of them share two users, and a table
 * holds the fprobes of each function. `fprobe_mutex` guards both; handlers walk the table under RCU.
 *
 * ```text
 *   fprobe_graph_ops   (function graph)   fprobes with an exit handler
 *   fprobe_ftrace_ops  (plain ftrace)     fprobes with an entry handler only
 *   fprobe_ip_table    f1: fprobe#2, fprobe#1      newest first
 * ```
 */

/** register_fprobe_ips(): traced before the nodes are in the table, so that a call in between finds no fprobe. */
export const registerOnGraph = routine<ProbeWorld, FprobeArgs>(
  'register_fprobe_ips (fgraph)',
  ({ holding, refuse, allocate, call, step }) => [
    holding('fprobe_mutex', [
      refuse('EEXIST', 'the fprobe is registered', (k, { fprobe }) => isFprobeRegistered(k, fprobe)),
      refuse('EINVAL', 'no function is named', (_, { ips }) => ips.length === 0),
      allocate('the nodes'),
      refuse('ENOENT', 'not a call site', (k, { ips }) => ips.some((ip) => !isCallSite(k, ip))),
      call(addIps, (_, { ips, exit }) => ({ user: userOf({ exit }), ips })),
      step('enter the tables', (k, locals) => {
        enterFprobe(k, locals);
        const user = userOf(locals);
        for (const ip of locals.ips) {
          k.probes.fprobeTable[ip] = insertNode(k.probes.fprobeTable[ip] ?? [], locals.fprobe);
          k.probes.fprobeNodes[user] = entry(k.probes.fprobeNodes, user) + 1;
        }
      }),
    ]),
  ],
);

/**
 * ftrace_location(): the call site is after an endbr64, and is found by the symbol of the function. A module that is gone
 * has no symbols, even where ftrace is dead and keeps its records.
 */
function isCallSite(k: ProbeView, ip: Ip): boolean {
  return k.ftrace.records[ip] !== undefined && isLoaded(k, functionOf(ip));
}

/** rhltable_insert(): the newest first. A function that was named twice has two nodes. */
function insertNode(nodes: readonly FprobeId[], fprobe: FprobeId): FprobeId[] {
  return [fprobe, ...nodes];
}

interface LeavingArgs {
  fprobe: FprobeId;
  async: boolean;
}

interface Leaving extends LeavingArgs {
  /** Functions on which no other fprobe of the same user is left. */
  gone: readonly string[];
  user: string;
}

/**
 * unregister_fprobe(), and unregister_fprobe_async(), whose caller makes the memory outlive its readers. A return
 * under way finds the fprobe unregistered (fprobe_registered()) and skips it. Without memory for their array the
 * functions stay in the filter of the user.
 */
export const unregisterOnGraph = routine<ProbeWorld, LeavingArgs, Leaving>(
  'unregister_fprobe (fgraph)',
  ({ holding, refuse, step, call, when, wait }) => [
    holding('fprobe_mutex', [
      refuse('EINVAL', 'the fprobe is not registered', (k, { fprobe }) => !isFprobeRegistered(k, fprobe)),
      step('leave the tables', (k, locals) => {
        const fprobe = entry(k.probes.fprobes, locals.fprobe);
        locals.user = userOf(fprobe);
        const gone = fprobe.ips.filter((ip) => leaveTable(k, ip, locals.fprobe, fprobe.exit));
        locals.gone = fails(k, 'allocation', 'unregister_fprobe (fgraph)') ? [] : gone;
        k.probes.fprobeNodes[locals.user] = entry(k.probes.fprobeNodes, locals.user) - fprobe.ips.length;
        k.probes.fprobes[locals.fprobe] = { ...fprobe, ips: [], registered: false };
      }),
      call(
        removeIps,
        (_, { user, gone }) => ({ user, ips: gone }),
        () => {},
      ),
    ]),
    when('its users are waited for', (_, { async }) => !async, [
      wait('rcu'),
      step('forget the fprobe', (k, { fprobe }) => {
        delete k.probes.fprobes[fprobe];
      }),
    ]),
  ],
);

/** delete_fprobe_node() of one node: whether no node of the same user is left on the function. */
function leaveTable(k: ProbeWorld, ip: Ip, fprobe: FprobeId, exit: boolean): boolean {
  const nodes = entry(k.probes.fprobeTable, ip);
  const left = nodes.toSpliced(nodes.indexOf(fprobe), 1);
  if (left.length > 0) k.probes.fprobeTable[ip] = left;
  else delete k.probes.fprobeTable[ip];
  return !left.some((name) => entry(k.probes.fprobes, name).exit === exit);
}

/**
 * fprobe_module_callback(): an unloaded module's functions leave the table, and those that had nodes there leave both
 * filters. A filter that lacks one of them keeps them all: ftrace_set_filter_ips() answers ENOENT. So do both without
 * memory for their array.
 */
export const leaveFprobes = routine<ProbeWorld, { ips: readonly Ip[] }>(
  'fprobe_module_callback',
  ({ holding, step, call }) => [
    holding('fprobe_mutex', [
      step('leave the tables', (k, locals) => {
        const { ips } = locals;
        const lacksArray = fails(k, 'allocation', 'fprobe_module_callback');
        if (lacksArray) warn(k, { is: 'no array of addresses' });
        locals.ips = lacksArray ? [] : ips.filter((ip) => k.probes.fprobeTable[ip] !== undefined);
        for (const [name, fprobe] of Object.entries(k.probes.fprobes)) {
          const left = fprobe.ips.filter((ip) => !ips.includes(ip));
          const user = userOf(fprobe);
          k.probes.fprobeNodes[user] = entry(k.probes.fprobeNodes, user) - fprobe.ips.length + left.length;
          k.probes.fprobes[name] = { ...fprobe, ips: left };
        }
        for (const ip of ips) delete k.probes.fprobeTable[ip];
      }),
      ...SHARED_USERS.map((user) =>
        call(
          removeIps,
          (_: ProbeView, { ips }: { ips: readonly Ip[] }) => ({ user, ips }),
          () => {},
        ),
      ),
    ]),
  ],
);

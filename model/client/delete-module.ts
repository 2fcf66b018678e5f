import { nameOfSite } from '../contract/changes.ts';
import { EVERYWHERE } from '../contract/footprint.ts';
import type { Promises } from '../contract/promises.ts';
import type { Ip } from '../core/ids.ts';
import { entry } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import { deleteModule } from '../ftrace/module.ts';
import type { KernelView } from '../kernel.ts';
import { functionOf } from '../text/body-address.ts';
import type { Module } from '../text/module.ts';
import { goneAddress } from '../text/module.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { moduleToggle } from './module-toggle.ts';
import { called } from './spelling.ts';

/*
 * delete_module() in kernel/module/main.c. Under `module_mutex`: ENOENT when no such module is loaded, then
 * EWOULDBLOCK (which is EAGAIN) when try_stop_module() finds a reference. Then, without the lock, notifiers run
 * (kill_kprobe(), on 7.2 fprobe_module_callback() too), ftrace_release_mod() deletes the records, and
 * free_module() frees the text after a grace period. EBUSY is left out: a module here has no init function
 * without an exit function.
 *
 * The holder of a module decides what can happen: an image of a BPF trampoline (6.1), each loaded program (6.12,
 * 7.2), a kprobe.multi link. Neither a plain ops, nor a direct call of a client, nor a kprobe does.
 */

export interface DeleteModule {
  readonly do: 'delete_module';
  readonly module: string;
}

export const deleteModuleCall: ClientCall<DeleteModule> = {
  sentence: 'Unloads a module.',
  examples: [{ do: 'delete_module', module: 'm1' }],
  service: servedBy(deleteModule, argsOf),
  role: 'something else',
  isMisuse(k, { module }) {
    const loaded = k.text.modules[module];
    return loaded === undefined || isWaitedFor(k, loaded);
  },
  promised: (p, { module }) => unloaded(p, module),
  touched: () => EVERYWHERE,
  undo: ({ module }, _, p) => moduleToggle(p, module),
  print: ({ do: name, module }) => called(name, module),
  parse: ({ name, args: [module = ''] }) => (name === 'delete_module' ? { do: name, module } : undefined),
};

/**
 * A program that was loaded for a function of the module, and does not hold it (6.1, where the image takes the
 * reference). Attaching it after the unload would resolve its BTF id in a module that is gone: not modelled.
 */
function isWaitedFor({ bpf, profile }: KernelView, { functions, refcnt }: Module): boolean {
  if (refcnt > 0 || profileNamed(profile).moduleHeldBy !== 'image') return false;
  return Object.values(bpf.progs).some(
    ({ target, freed, dstTrampoline }) => !freed && dstTrampoline && functions.includes(target),
  );
}

/**
 * No client is promised a function that is gone. A client that named it still has its address in its hash,
 * because ftrace_release_mod() leaves hashes alone. That address is no call site until a module is loaded there
 * again, which gets another address here: `goneAddress()` counts the unloads.
 */
function unloaded(p: Promises, module: string): Promises {
  const { functions, unloads } = entry(p.modules, module);
  const next = unloads + 1;
  const goneIp = (ip: Ip) => (functions.includes(functionOf(ip)) ? goneAddress(ip, next) : ip);
  const gone = (ips: readonly Ip[]) => ips.map(goneIp);
  const filters = Object.fromEntries(
    Object.entries(p.filters).map(([object, { filter, notrace }]) => [
      object,
      { filter: gone(filter), notrace: gone(notrace) },
    ]),
  );
  const clients = p.clients.map((client) => {
    const ips = gone(client.ips);
    // A direct call of a single site is named after its site, so its name has to follow.
    if (client.site === undefined) return { ...client, ips };
    const site = { ...client.site, ip: goneIp(client.site.ip) };
    return { ...client, object: nameOfSite(site), site, ips };
  });
  return {
    ...p,
    filters,
    clients,
    modules: { ...p.modules, [module]: { functions, live: false, unloads: next } },
  };
}

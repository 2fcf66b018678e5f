import type { FunctionName, Ip } from '../core/ids.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import { functionOf } from './body-address.ts';
import type { TextView, TextWorld } from './text.ts';
import { NOP5 } from './text.ts';

/** `struct module`: a part of kernel text that comes and goes. */
export interface Module {
  /** The traced functions in it. */
  readonly functions: readonly string[];
  /** It is loaded; otherwise its text is gone, and its functions cannot be called. */
  live: boolean;
  /** References: it cannot be unloaded while there are any. */
  refcnt: number;
  /** How often it has been unloaded. */
  unloads: number;
}

/** __module_text_address(): the module of a function; undefined for the kernel's own text. */
export function moduleOf({ text }: TextWorld, fn: FunctionName): Module | undefined;
export function moduleOf({ text }: TextView, fn: FunctionName): DeepReadonly<Module | undefined>;
export function moduleOf({ text }: TextView, fn: FunctionName): DeepReadonly<Module | undefined> {
  return Object.values(text.modules).find(({ functions }) => functions.includes(fn));
}

/** Whether a function is in the kernel's text now, in no module that is being loaded or unloaded. */
export function isThere(k: TextView, fn: FunctionName): boolean {
  return isLoaded(k, fn) && (moduleOf(k, fn) === undefined || k.locks['module_mutex'] === undefined);
}

/** Whether a function is in the kernel's text, including a module that is being unloaded. */
export function isLoaded(k: TextView, fn: FunctionName): boolean {
  return moduleOf(k, fn)?.live ?? true;
}

/**
 * try_module_get() on each module that one of these functions is in. False, with nothing held, while one of them
 * is being loaded or unloaded, or when it is gone.
 */
export function tryModuleGet(k: TextView, fns: readonly string[]): boolean {
  const are = fns.every((fn) => isThere(k, fn));
  if (are) moduleGet(k, fns);
  return are;
}

/** __module_get() on each module that one of these functions is in, whatever its state. */
export function moduleGet(k: TextView, fns: readonly string[]): void {
  for (const found of modulesOf(k, fns)) found.refcnt++;
}

export function modulePut(k: TextView, fns: readonly string[]): void {
  for (const found of modulesOf(k, fns)) found.refcnt--;
}

/** The modules that functions are in, each once. */
function modulesOf({ text }: TextView, fns: readonly string[]): Module[] {
  return Object.values(text.modules).filter(({ functions }) => functions.some((fn) => fns.includes(fn)));
}

/**
 * An address in a function whose module was unloaded for the n-th time, as hashes and tables may still hold it.
 * The module is never loaded at the same address again, so nothing is there.
 */
export function goneAddress(ip: Ip, unloads: number): string {
  return `${ip} (gone ${unloads})`;
}

/** How often each module has been unloaded, at the time when an operation got its addresses. */
export type Unloads = Readonly<Record<string, number>>;

export function unloadsOf({ text }: TextView): Unloads {
  return Object.fromEntries(Object.entries(text.modules).map(([name, { unloads }]) => [name, unloads]));
}

/**
 * The name by which hashes and tables have an address now that an operation got at a time when modules had been
 * unloaded so often: an operation that does not hold a module may still be under way when that goes. Without a time,
 * the operation holds the modules of its addresses.
 */
export function addressNow({ text }: TextView, ip: Ip, got: Unloads | undefined): Ip {
  for (const [name, before] of Object.entries(got ?? {})) {
    const module = text.modules[name];
    if (module?.functions.includes(functionOf(ip)) && module.unloads !== before)
      return goneAddress(ip, before + 1);
  }
  return ip;
}

/** The same of a hash. */
export function addressesNow(k: TextView, ips: readonly Ip[], got: Unloads | undefined): Ip[] {
  return ips.map((ip) => addressNow(k, ip, got)).sort();
}

/** The text of a module, with a nop at each call site. */
export function loadText({ text }: TextWorld, module: Module): void {
  module.live = true;
  for (const fn of module.functions) text.sites[fn] = NOP5;
}

export function freeText({ text }: TextWorld, module: Module): void {
  module.live = false;
  module.unloads++;
  for (const fn of module.functions) delete text.sites[fn];
  for (const ip in text.probed) if (module.functions.includes(functionOf(ip))) delete text.probed[ip];
}

import { functionOf } from '../../model/text/body-address.ts';
import { NOP5 } from '../../model/text/text.ts';
import type { Write } from './guarded-state.ts';

/*
 * Writes of state that is private at the time, which the kernel makes without the lock.
 */

/**
 * free_module() has freed text, and the model renames the addresses in it that hashes and tables still hold: the kernel
 * changes no table then.
 */
export function isModuleGone({ before, after }: Write): boolean {
  const { modules } = after.text;
  return Object.keys(modules).some(
    (name) => before.text.modules[name]?.live === true && !modules[name]?.live,
  );
}

/**
 * The text of a module as load_module() has laid it out, before a notifier or ftrace knows it; or as free_module() frees it,
 * when it is in the list of modules no more.
 */
export function isNewOrFreedText({ after, keys: [ip = ''], old, new: now }: Write): boolean {
  const { modules } = after.text;
  const own = Object.values(modules).find(({ functions }) => functions.includes(functionOf(ip)));
  if (own === undefined) return false;
  return own.live ? old === undefined && now === NOP5 : now === undefined;
}

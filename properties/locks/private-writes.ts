import { functionOf } from '../../model/text/body-address.ts';
import { NOP5, SITE_BYTES } from '../../model/text/text.ts';
import { INT3 } from '../../model/text/view.ts';
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

/**
 * `text.probed` has the bytes of those instructions of bodies that kprobes change. More of an instruction, or another one,
 * is watched when a detour is made, and none of them when it goes: memory stays as it was compiled.
 */
export function isOnlyWatched({ old = '', new: now = '' }: Write): boolean {
  const [shorter, longer] = [String(old), String(now)].sort((a, b) => a.length - b.length) as [
    string,
    string,
  ];
  if (shorter === '') return !longer.startsWith(INT3) && !isJump(longer);
  return longer.length > shorter.length && longer.startsWith(shorter);
}

function isJump(bytes: string): boolean {
  return bytes.length === 2 * SITE_BYTES && bytes.startsWith('e9');
}

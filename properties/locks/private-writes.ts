import type { Write } from './guarded-state.ts';

/**
 * The text of a module comes or goes with this write: it is not executed, and addresses in it are renamed in the
 * model's tables. The kernel changes no table then.
 */
export function isModuleGone({ before, after }: Write): boolean {
  const { modules } = after.text;
  return Object.keys(modules).some((name) => modules[name]?.live !== before.text.modules[name]?.live);
}

import type { Promises } from '../contract/promises.ts';
import type { Action } from './all.ts';

/**
 * A module that is loaded is unloaded, and the other way round. The inverse of either call is found by the
 * state, not by the call: an init_module() that was refused (EEXIST) has nothing to be undone.
 */
export function moduleToggle({ modules }: Promises, module: string): readonly Action[] {
  return [{ do: modules[module]?.live === true ? 'delete_module' : 'init_module', module }];
}

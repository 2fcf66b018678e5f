import type { Promises } from '../contract/promises.ts';
import type { Action } from './all.ts';

/** A module that is loaded is unloaded, and the other way round. */
export function moduleToggle({ modules }: Promises, module: string): readonly Action[] {
  return [{ do: modules[module]?.live === true ? 'delete_module' : 'init_module', module }];
}

import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/*
 * Puts files in the place of modules: `REPLACED` has the address of what stands for each, by the module's own. What stands
 * for a module may import it. Imported once in front of a program, and once more by Node where modules are looked up.
 */

if (isMainThread) register(import.meta.url);

const REPLACED = JSON.parse(process.env['REPLACED'] ?? '{}');

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const other = REPLACED[found.url];
  return other === undefined || other === context.parentURL ? found : { ...found, url: other };
}

import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the package, with its sources: also for the compiled form. */
export const ROOT = resolve(
  dirname(fileURLToPath(import.meta.url)),
  import.meta.url.endsWith('.ts') ? '../..' : '../../..',
);
export const HERE = join(ROOT, 'commands/page');

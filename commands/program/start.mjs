/*
 * The start of `npm run check`, and of the scripts beside it: the program from its sources, as they are now. Its thousand
 * modules are bundled once for each state of them, which takes two seconds; without a bundle the process and each worker
 * would compile them again. Modules of a user may import those of the sources, and a page is made of them one by one: with
 * these the sources run themselves, as they do where there is no bundle to be had.
 */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { currentBundle } from './current-bundle.mjs';

const has = (option) => process.argv.some((word) => word === option || word.startsWith(`${option}=`));
const folder = has('--with') || has('--html') ? undefined : await currentBundle();
if (folder === undefined) (await import('tsx/esm/api')).register();
await import(folder === undefined ? '../../main.ts' : pathToFileURL(join(folder, 'main.mjs')).href);

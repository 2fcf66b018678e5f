import { join } from 'node:path';
import { TOP } from '../line/project.ts';
import { bundleProgram } from './bundle-program.ts';

/* The last step of `npm run build`. */
await bundleProgram(join(TOP, 'dist'));

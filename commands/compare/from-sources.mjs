// The start of a worker that runs from the sources: it compiles what it imports. Compiled, nothing needs this file.
import { register } from 'tsx/esm/api';

register();
await import('./design-worker.ts');

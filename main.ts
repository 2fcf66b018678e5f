#!/usr/bin/env node
import module from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { v8Flags } from './commands/line/v8-flags.ts';

for (const flag of v8Flags(process.versions.node)) setFlagsFromString(flag);

/** Node 22.1 and later keep compiled code on disk, for modules that are loaded after this. */
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function')
  module.enableCompileCache();

let isOutputLost = false;

/**
 * A reader that has gone (`| head`), or a closed terminal, stops a run in progress, and is not a failure. Output that
 * cannot be written for another reason is reported once, and changes no verdict.
 */
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (stream !== process.stdout) return;
    if (error.code === 'EPIPE' || error.code === 'EIO') process.emit('SIGPIPE');
    else if (!isOutputLost)
      process.stderr.write(`attachcheck: the output cannot be written: ${error.message}\n`);
    isOutputLost = true;
  });

const [{ run }, { ownTerminal }] = await Promise.all([
  import('./commands/line/run.ts'),
  import('./commands/line/terminal.ts'),
]);
process.exitCode = await run(process.argv.slice(2), ownTerminal());

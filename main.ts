#!/usr/bin/env node
import module from 'node:module';
import { setFlagsFromString } from 'node:v8';

/**
 * V8 optimizes a function nine times later than it would, when the types that it meets are known: earlier, a quarter of a run's
 * time went into optimizing code that the next kernel made wrong. It holds for worker threads too.
 */
setFlagsFromString('--interrupt-budget=600000');

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

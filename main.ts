#!/usr/bin/env node
import { run } from './commands/line/run.ts';
import { ownTerminal } from './commands/line/terminal.ts';

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

process.exitCode = await run(process.argv.slice(2), ownTerminal());

#!/usr/bin/env node
import { run } from './commands/line/run.ts';
import { ownTerminal } from './commands/line/terminal.ts';

/** A reader that has gone (`| head`), or a closed terminal, stops a run in progress, and is not a failure. */
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    if (stream === process.stdout) process.emit('SIGPIPE');
  });

process.exitCode = await run(process.argv.slice(2), ownTerminal());

#!/usr/bin/env node
import { run } from './commands/line/run.ts';
import { ownTerminal } from './commands/line/terminal.ts';

/** A reader that has seen enough (`| head`), or a terminal that is gone, stops a run that is under way, and is no failure. */
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    if (stream === process.stdout) process.emit('SIGPIPE');
  });

process.exitCode = await run(process.argv.slice(2), ownTerminal());

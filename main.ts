#!/usr/bin/env node
import { run } from './commands/line/run.ts';
import { ownTerminal } from './commands/line/terminal.ts';

/** A reader that has seen enough (`| head`) is no failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await run(process.argv.slice(2), ownTerminal());

import { afterAll, beforeEach } from 'vitest';
import { startWorkersFrom } from '../commands/line/idle-workers.ts';
import { bundledWorker } from './bundled-worker.ts';
import { THOROUGH } from './thorough.ts';
import { watchdog } from './watchdog.ts';

/** Longer than any test may take: their own time is over before, if they give the CPU back. */
const SECONDS = THOROUGH ? 1200 : 240;

declare global {
  /** One in each process that runs tests, whatever the files that it runs. */
  var tellWatchdog: ((test: string) => void) | undefined;
}

globalThis.tellWatchdog ??= watchdog(SECONDS);
const tell = globalThis.tellWatchdog;

// In a thorough run all workers start from the sources.
if (!THOROUGH) startWorkersFrom(bundledWorker);

beforeEach(({ task }) => tell(`${task.file.name}: ${task.name}`));
afterAll(() => tell(''));

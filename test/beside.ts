import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { afterEach } from 'vitest';

/**
 * Starts programs in JavaScript, each in a process of its own that ends with the test: the test may wait for them without
 * yielding the CPU. A program reads its words, plain data, from `process.argv[1]` as JSON.
 */
export function beside(program: string): (words: unknown) => void {
  const running: ChildProcess[] = [];
  afterEach(() => {
    for (const child of running.splice(0)) child.kill('SIGKILL');
  });
  return (words) => {
    running.push(spawn(process.execPath, ['-e', program, JSON.stringify(words)], { stdio: 'inherit' }));
  };
}

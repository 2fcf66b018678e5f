import { randomInt } from 'node:crypto';
import { EXIT } from '../../counterexamples/answer.ts';
import { InputError } from '../../model/core/input-error.ts';
import { wholeNumber } from '../../model/core/input-value.ts';
import { fuzzCommandLines } from './command-lines.ts';
import { fuzz } from './fuzzed.ts';
import { READERS } from './readers.ts';

/*
 * `npm run fuzz`: a million mutated inputs for the readers of all formats, and 300 command lines. `npm run fuzz -- 20000 7`
 * gives the number of inputs and the seed.
 */

const SEEDS = 2 ** 31;

try {
  const [inputs = '1000000', seed = String(randomInt(SEEDS))] = process.argv.slice(2);
  await fuzzAll(wholeNumber(inputs, 'the number of inputs', 1e9), wholeNumber(seed, 'the seed', SEEDS));
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  process.stderr.write(`fuzz: ${error.message}\n`);
  process.exitCode = EXIT.USAGE;
}

async function fuzzAll(inputs: number, seed: number): Promise<void> {
  console.log(`seed ${seed}`);
  for (const reader of READERS) {
    const start = performance.now();
    fuzz(reader, { seed, inputs: Math.ceil(inputs / READERS.length) });
    console.log(`${reader.name.padEnd(26)} held  ${Math.round((performance.now() - start) / 1000)} s`);
  }
  await fuzzCommandLines({ seed, inputs: Math.min(300, inputs) });
  console.log('command lines              held');
}

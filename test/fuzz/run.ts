import { randomInt } from 'node:crypto';
import { fuzzCommandLines } from './command-lines.ts';
import { fuzz } from './fuzzed.ts';
import { READERS } from './readers.ts';

/*
 * `npm run fuzz`: a million mutated inputs for the readers of all formats, and 300 command lines. `npm run fuzz -- 20000 7`
 * gives the number of inputs and the seed.
 */

const inputs = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? randomInt(2 ** 31));

console.log(`seed ${seed}`);
for (const reader of READERS) {
  const start = performance.now();
  fuzz(reader, { seed, inputs: Math.ceil(inputs / READERS.length) });
  console.log(`${reader.name.padEnd(26)} held  ${Math.round((performance.now() - start) / 1000)} s`);
}
await fuzzCommandLines({ seed, inputs: Math.min(300, inputs) });
console.log('command lines              held');

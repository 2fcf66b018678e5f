import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Corpus } from './corpus.ts';
import type { InputBound } from './draw-inputs.ts';

/** The corpus that a bundle draws within a bound: of an earlier run, where there was one. */
export async function keptCorpus(
  bundle: string,
  bound: InputBound,
  draw: () => Promise<Corpus>,
): Promise<Corpus> {
  const hash = createHash('sha256').update(readFileSync(bundle)).update(JSON.stringify(bound)).digest('hex');
  const file = join(tmpdir(), `attachcheck-mutants-${hash.slice(0, 16)}.corpus`);
  if (existsSync(file)) return deserialize(readFileSync(file)) as Corpus;
  const corpus = await draw();
  writeFileSync(`${file}.new`, serialize(corpus));
  renameSync(`${file}.new`, file);
  return corpus;
}

import { join } from 'node:path';
import { readText } from '../conformance/files.ts';
import { item } from '../model/core/present.ts';
import { TOP } from './sources.ts';

/** The first recorded line: a fentry program on a function without arguments, on 6.1. */
export function firstRecording(): string {
  return item(readText(join(TOP, 'conformance/recordings/trampolines.jsonl.gz')).split('\n'), 0);
}

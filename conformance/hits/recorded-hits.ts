import { z } from 'zod';
import type { RecordedHit } from '../../checker/cost/recorded-hit.ts';
import { InputError } from '../../model/core/input-error.ts';
import { KERNELS } from '../../model/core/profile.ts';

/*
 * recordings/hits.jsonl: one call of a function with one u64 argument, on the three real kernels booted with
 * mitigations=off in an emulated machine stepped by a debugger. Each instruction between the function's entry and its
 * return to the caller is counted for its owner: the image, ftrace's trampoline, assembly of the kernel, or the C
 * function that such code called, including its callees (`inner` lists these separately). BPF programs and the
 * handlers of the recorder's own probes are excluded with their callees, and so is the body. It is the second call
 * after the attach. The recorder's kretprobe has an entry handler, which the model's lacks: its caller is counted.
 */

const count = z.number().int().positive();

const functions = z.record(z.string(), z.object({ calls: count, instructions: count }));

const hit = z.object({
  release: z.string(),
  kernel: z.enum(KERNELS),
  boot: z.literal('mitoff'),
  hit: z.string(),
  code: z.record(z.string(), count),
  functions,
  inner: functions,
});

/** The hits of a recording. Throws an InputError that names an invalid line. */
export function parseRecordedHits(text: string, path: string): RecordedHit[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line, i) => {
    try {
      return hit.parse(JSON.parse(line));
    } catch {
      throw new InputError(`${path}:${i + 1}: this is no recorded hit`);
    }
  });
}

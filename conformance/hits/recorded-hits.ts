import { z } from 'zod';
import type { RecordedHit } from '../../checker/cost/recorded-hit.ts';
import { InputError } from '../../model/core/input-error.ts';
import { KERNELS } from '../../model/core/profile.ts';

/*
 * recordings/hits.jsonl: one call of a function with one u64 argument, on the three real kernels booted with
 * mitigations=off in an emulated machine that a debugger steps. Each instruction between the function's entry and its
 * return to the caller is counted for what it belongs to: the image, ftrace's trampoline, assembly of the kernel, or the
 * function in C that such code called, with all that this calls in turn (`inner` has that once more). BPF programs and the handlers of the recorder's
 * own probes are left out, with all that they call, and so is the body. It is the second call after the attach.
 * The recorder's kretprobe has an entry handler, which the model's has not: what calls it is counted.
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

/** The hits of a recording. Throws an InputError that names the line when one is none. */
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

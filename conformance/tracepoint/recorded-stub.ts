import { z } from 'zod';
import { InputError } from '../../model/core/input-error.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { typeNamed } from '../../model/trampoline/signature.ts';

/*
 * recordings/stubs.jsonl.gz: every stub of a raw tracepoint built into the three real kernels, read from their
 * vmlinux. Each entry of the section __bpf_raw_tp_map names a tracepoint, its stub, the number of arguments and the
 * writable size; the types are those of `btf_trace_X` in the kernel's own BTF. `code` is the stub up to the opcode of
 * its last jump, `jumpsTo` the target of that jump. Tracepoints of one event class share a stub and one line.
 */
const recordedStub = z.object({
  release: z.string(),
  kernel: z.enum(KERNELS),
  events: z.array(z.string()).min(1),
  args: z.array(z.string().refine((name) => typeNamed(name) !== undefined)),
  writable: z.number().int().min(0),
  code: z.string().regex(/^([0-9a-f]{2})*e9$/),
  jumpsTo: z.string(),
});

export type RecordedStub = z.infer<typeof recordedStub>;

/** The stubs of a recording. Throws an InputError that names an invalid line. */
export function parseRecordedStubs(text: string, path: string): RecordedStub[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line, i) => {
    try {
      return recordedStub.parse(JSON.parse(line));
    } catch {
      throw new InputError(`${path}:${i + 1}: this is no recorded stub`);
    }
  });
}

import { z } from 'zod';
import type { Target } from '../../model/trampoline/attach.ts';
import { attachPrograms, requestFor } from '../../model/trampoline/attach.ts';
import { LISTINGS } from '../../model/trampoline/listing.ts';
import type { BpfProgram } from '../../model/trampoline/program.ts';
import { CGROUP_RUN, plainProgram, programCode } from '../../model/trampoline/program.ts';
import { parseProgram } from '../../model/trampoline/program-text.ts';
import { LAYOUT } from '../../model/trampoline/stage/layout.ts';
import { fromHex } from '../../model/x86/word.ts';
import type { Identity } from './identity.ts';
import { basicSymbols, compareImage } from './identity.ts';
import { recordedBoot, recordedConditions, recordedKernel, recordedLines } from './recorded-kernel.ts';

/*
 * Images of programs of BPF LSM on hooks of real kernels, read from memory (/proc/kcore) while the programs were
 * attached, and of the shims of programs for cgroups. An image with two shims was made while the work item of the
 * first had not run. No call was recorded: no hook was called.
 */

const recordedLsmImage = z.object({
  kernel: recordedKernel,
  boot: recordedBoot,
  func: z.string(),
  listing: z.enum(LISTINGS),
  args: z.array(z.string()),
  ret: z.string(),
  progs: z.array(z.string()),
  func_addr: z.string(),
  entry_hex: z.string(),
  image_addr: z.string(),
  image_hex: z.string(),
  symbols: z.record(z.string(), z.string()),
});

/** One line of the recording: the hook, its programs in order of attachment, and the image with its branches. */
export type RecordedLsmImage = z.infer<typeof recordedLsmImage>;

export function parseLsmImages(text: string): RecordedLsmImage[] {
  return recordedLines(text, recordedLsmImage);
}

/** Compares a recorded image with the one that the model generates for these programs. */
export function compareLsmImage(record: RecordedLsmImage): Identity {
  const target = targetOf(record);
  const programs = record.progs.map(programOf);
  const attempt = attachPrograms(target, programs, { base: LAYOUT.image, resolve: () => undefined });
  const base = fromHex(record.image_addr);
  const traced = fromHex(record.func_addr);
  const symbols = basicSymbols(base, traced, target.ibt);
  for (const [address, name] of Object.entries(record.symbols)) symbols.set(name, fromHex(address));
  const run = symbols.get(CGROUP_RUN);
  if (run !== undefined)
    for (const program of programs) if (program.shim === true) symbols.set(programCode(program), run);
  const bytes = Uint8Array.from(Buffer.from(record.image_hex, 'hex'));
  return compareImage({
    request: requestFor(target, attempt),
    bytes,
    base,
    traced,
    symbols,
    nameless: new Set(),
  });
}

function targetOf(record: RecordedLsmImage): Target {
  const { kernel, boot, listing } = record;
  return {
    ...recordedConditions(kernel, boot, record),
    listing,
    ipmodify: false,
    bpf: false,
    noreturn: false,
    tailCallCtx: false,
  };
}

function programOf(text: string, i: number): BpfProgram {
  const spelled = parseProgram(text);
  return { ...plainProgram(i + 1), ...spelled, cookie: fromHex(spelled.cookie) };
}

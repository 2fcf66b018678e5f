import { z } from 'zod';
import type { Profile } from '../../model/core/profile.ts';
import { PROFILES } from '../../model/core/profile.ts';
import { parseSignature } from '../../model/trampoline/signature.ts';

/** The kernels whose memory was read, each with its profile. */
const KERNELS = { '6.1.192': '6.1', '6.12.117': '6.12', '7.2.13': '7.2' } as const;

export const recordedKernel = z.enum(['6.1.192', '6.12.117', '7.2.13']);

/** The two boots in which images were read: as they come, and with call-depth tracking. */
export const recordedBoot = z.enum(['default', 'stuff']);

export function profileOf(kernel: z.infer<typeof recordedKernel>): Profile {
  return PROFILES[KERNELS[kernel]];
}

/** The kernel, its boot and the signature of a record, as images are generated for them. */
export function recordedConditions(
  kernel: z.infer<typeof recordedKernel>,
  boot: z.infer<typeof recordedBoot>,
  { args, ret }: { readonly args: readonly string[]; readonly ret: string },
) {
  const profile = profileOf(kernel);
  return {
    profile,
    mitigations: profile.boots[boot],
    ibt: profile.ibt,
    signature: parseSignature(`${args.join(', ')} -> ${ret}`),
  };
}

/** The lines of a recording, each of this shape. */
export function recordedLines<T>(text: string, shape: z.ZodType<T>): T[] {
  return text
    .trim()
    .split('\n')
    .map((line) => shape.parse(JSON.parse(line)));
}

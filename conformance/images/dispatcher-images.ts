import { z } from 'zod';
import type { BootName, Mitigations } from '../../model/core/profile.ts';
import { dispatcherImage } from '../../model/dispatcher/dispatcher-image.ts';
import { hexText } from '../../model/ftrace/entry/hex-text.ts';
import { ENDBR_BYTES } from '../../model/text/body-address.ts';
import { branchTarget, HALF_BYTES } from '../../model/text/space.ts';
import { SITE_BYTES } from '../../model/text/text.ts';
import type { Word } from '../../model/x86/word.ts';
import { displacement, fromHex, plus, toHex } from '../../model/x86/word.ts';
import { profileOf, recordedKernel, recordedLines } from './recorded-kernel.ts';

/*
 * The page of the XDP dispatcher of real kernels, read from memory (/proc/kcore) after each change: the loopback
 * device of each of several network namespaces got an XDP program, in generic mode. With it the first bytes of
 * `bpf_dispatcher_xdp_func`, whose jump says which half is in use.
 */

const recordedPage = z.object({
  kernel: recordedKernel,
  boot: z.enum(['default', 'mitoff', 'stuff', 'unret'] satisfies BootName[]),
  step: z.enum(['attach', 'detach', 'empty']),
  /** Devices with a program. */
  n: z.number(),
  /** Addresses of the programs that are loaded, the oldest first. */
  programs: z.array(z.string()),
  func_addr: z.string(),
  func_hex: z.string(),
  image_addr: z.string(),
  /** Both halves, up to their last byte that is not zero; empty: never written. */
  lower_hex: z.string(),
  upper_hex: z.string(),
  symbols: z.record(z.string(), z.string()),
});

/** One line of the recording. */
export type RecordedPage = z.infer<typeof recordedPage>;

export function parseDispatcherPages(text: string): RecordedPage[] {
  return recordedLines(text, recordedPage);
}

/** Where `bpf_dispatcher_xdp_func` jumps to: a half of the page, or a symbol. */
export function calledBy(page: RecordedPage): 'lower' | 'upper' | string {
  // The jump is all that the function does after its call site.
  const from = (profileOf(page.kernel).ibt ? ENDBR_BYTES : 0) + SITE_BYTES;
  const to = branchTarget(page.func_hex.slice(2 * from, 2 * from + 10), plus(fromHex(page.func_addr), from));
  const offset = displacement(to, fromHex(page.image_addr));
  if (offset === 0) return 'lower';
  return offset === HALF_BYTES ? 'upper' : (page.symbols[toHex(to)] ?? toHex(to));
}

/** The image in use, and the one that the model generates there for these programs, both of the same length. */
export function comparedImage(page: RecordedPage, programs: readonly string[]) {
  const half = calledBy(page);
  const profile = profileOf(page.kernel);
  const generated = hexText(
    dispatcherImage(programs.map(fromHex), {
      base: plus(fromHex(page.image_addr), half === 'upper' ? HALF_BYTES : 0),
      indirect: indirectJump(page, profile.boots[page.boot]),
      longestNop: profile.longestNop,
    }),
  );
  const recorded = half === 'upper' ? page.upper_hex : page.lower_hex;
  return { generated, recorded: recorded.slice(0, generated.length) };
}

/** The thunk of a boot, at its address in that kernel. */
function indirectJump({ symbols }: RecordedPage, { indirectThunk }: Mitigations): 'jmp' | { thunk: Word } {
  if (indirectThunk === undefined) return 'jmp';
  const [address] = Object.entries(symbols).find(([, name]) => name === indirectThunk) ?? [];
  if (address === undefined) throw new Error(`${indirectThunk} is not among the recorded symbols`);
  return { thunk: fromHex(address) };
}

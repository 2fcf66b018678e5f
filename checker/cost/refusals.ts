import type { Errno } from '../../model/core/errno.ts';
import { item } from '../../model/core/present.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { bootKernel } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import { ARG_BYTES_MAX, ARGS_MAX } from '../../model/trampoline/load-target.ts';
import { parseSignature, slotCount } from '../../model/trampoline/signature.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import type { CostClient } from './client.ts';

/** Types that one kernel is asked for: it is small, and asks quickly. */
const AT_ONCE = 64;

/**
 * Why a client is refused a function of a type, in a few words; undefined: it may attach to it. Each type is asked once,
 * by attaching to a function of it alone; whether a word is a pointer or has a sign makes no difference.
 */
export function refusalsOf(
  client: CostClient,
  signatures: readonly string[],
): (signature: string) => string | undefined {
  const kinds = [...new Set(signatures.map(sizesOf))];
  const refused = new Map<string, string>();
  for (let from = 0; from < kinds.length; from += AT_ONCE)
    ask(client, kinds.slice(from, from + AT_ONCE), refused);
  return (signature) => refused.get(sizesOf(signature));
}

/** `u64, u32 -> u32` of `ptr, s32 -> s32`. */
function sizesOf(signature: string): string {
  return signature.replace(/\bptr\b/g, 'u64').replace(/\bs(?=(8|16|32|64|128)\b)/g, 'u');
}

function ask(client: CostClient, kinds: readonly string[], refused: Map<string, string>): void {
  const functions = kinds.map((signature, i) => tracedFunction(`f${i + 1}`, i + 1, signature));
  const k = bootKernel({ profile: client.profile, boot: 'default', functions });
  functions.forEach(({ name }, i) => {
    const errno = client
      .attach([name])
      .map((action) => apply(k, action).errno)
      .find((item) => item !== 0);
    for (const action of client.detach([name])) apply(k, action);
    apply(k, { do: 'close(prog)', prog: 1 });
    apply(k, { do: 'settle' });
    if (errno !== undefined) refused.set(item(kinds, i), reasonOf(client, item(kinds, i), errno));
  });
}

function reasonOf({ profile, name }: CostClient, text: string, errno: Errno): string {
  const signature = parseSignature(text);
  const { args, ret } = signature;
  const { trampolineSlotsMax: most } = profileNamed(profile);
  if (args.length > ARGS_MAX) return `it takes more than ${ARGS_MAX} arguments`;
  if (ret.struct) return 'it returns a structure';
  if (args.some(({ size }) => size > ARG_BYTES_MAX))
    return `it takes a structure of more than ${ARG_BYTES_MAX} bytes`;
  if (slotCount(signature) > most) return `it takes more than ${most} words of arguments`;
  return `${name} answers ${errno}`;
}

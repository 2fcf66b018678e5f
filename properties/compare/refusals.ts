import type { Errno } from '../../model/core/errno.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { bootKernel } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import { ARG_BYTES_MAX, ARGS_MAX } from '../../model/trampoline/load-target.ts';
import { parseSignature, slotCount } from '../../model/trampoline/signature.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import type { Client } from './client.ts';

/**
 * What a client is refused when it attaches to one function alone, by the function's type: each of the types is asked
 * once, and why that is so is said in a few words. Types that it may attach to are not in it.
 */
export function refusalsOf(client: Client, signatures: Iterable<string>): Map<string, string> {
  const kinds = [...new Set(signatures)];
  const functions = kinds.map((signature, i) => tracedFunction(`f${i + 1}`, i + 1, signature));
  const k = bootKernel({ profile: client.profile, boot: 'default', functions });
  const refused = new Map<string, string>();
  functions.forEach(({ name }, i) => {
    const errno = client
      .attach([name])
      .map((action) => apply(k, action).errno)
      .find((one) => one !== 0);
    for (const action of client.detach([name])) apply(k, action);
    apply(k, { do: 'close(prog)', prog: 1 });
    apply(k, { do: 'settle' });
    if (errno !== undefined) refused.set(kinds[i]!, reasonOf(client, kinds[i]!, errno));
  });
  return refused;
}

function reasonOf({ profile, name }: Client, text: string, errno: Errno): string {
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

import { item } from '../../model/core/present.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { bootKernel } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import { ARG_BYTES_MAX, ARGS_MAX } from '../../model/trampoline/load-target.ts';
import type { Signature, Type } from '../../model/trampoline/signature.ts';
import { parseSignature, slotCount } from '../../model/trampoline/signature.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import type { CostClient } from './client.ts';
import type { KeptOff } from './function-list.ts';
import type { RefusedCall } from './refused-call.ts';
import { refusedBy } from './refused-call.ts';

/** Types to try on one kernel: it is small, and fast. */
const AT_ONCE = 64;

/**
 * Why a client is refused a function of a type; undefined: it may attach to it. Each type is tried once, by attaching
 * to a function of it alone; whether a word is a pointer or has a sign makes no difference.
 */
export function refusalsOf(
  client: CostClient,
  signatures: readonly string[],
): (signature: string) => KeptOff | undefined {
  const kinds = [...new Set(signatures.map(sizesOf))];
  const refused = new Map<string, KeptOff>();
  for (let from = 0; from < kinds.length; from += AT_ONCE)
    ask(client, kinds.slice(from, from + AT_ONCE), refused);
  return (signature) => refused.get(sizesOf(signature));
}

/** `u64, u32 -> u32` of `ptr, s32 -> s32`. */
function sizesOf(signature: string): string {
  return signature.replace(/\bptr\b/g, 'u64').replace(/\bs(?=(8|16|32|64|128)\b)/g, 'u');
}

function ask(client: CostClient, kinds: readonly string[], refused: Map<string, KeptOff>): void {
  attempts(client, kinds).forEach((by, i) => {
    const kind = item(kinds, i);
    if (by !== undefined) refused.set(kind, { why: reasonOf(client, kind, by), by });
  });
}

/** The refusal of each of some types, a function of each attached to alone; undefined: it is accepted. */
function attempts(client: CostClient, kinds: readonly string[]): (RefusedCall | undefined)[] {
  const functions = kinds.map((signature, i) => tracedFunction(`f${i + 1}`, i + 1, signature));
  const k = bootKernel({ profile: client.profile, boot: 'default', functions });
  return functions.map(({ name }) => {
    const by = client
      .attach([name])
      .map((action) => refusedBy(k, action))
      .find((refused) => refused !== undefined);
    for (const action of client.detach([name])) apply(k, action);
    apply(k, { do: 'close(prog)', prog: 1 });
    apply(k, { do: 'settle' });
    return by;
  });
}

/** The property of the type that causes it. */
function reasonOf(client: CostClient, text: string, by: RefusedCall): string {
  const signature = parseSignature(text);
  const { args, ret } = signature;
  const { trampolineSlotsMax: most } = profileNamed(client.profile);
  if (args.length > ARGS_MAX) return `it takes more than ${ARGS_MAX} arguments`;
  if (ret.struct) return 'it returns a structure';
  if (args.some(({ size }) => size > ARG_BYTES_MAX))
    return `it takes a structure of more than ${ARG_BYTES_MAX} bytes`;
  if (slotCount(signature) > most) return `it takes more than ${most} words of arguments`;
  return reasonFound(client, signature) ?? by.guard;
}

/** A limit that only some designs have: simpler types find it. */
function reasonFound(client: CostClient, { args, ret }: Signature): string | undefined {
  const isWord = ({ size, struct }: Type) => size <= 8 && !struct;
  const kind = (types: readonly string[]) => `${types.join(', ')} -> ${ret.name}`;
  const words = args.map((type) => (isWord(type) ? type.name : 'u64'));
  const beginnings = args.map((_, i) => words.slice(0, i));
  const [asWords, ...shorter] = attempts(client, [words, ...beginnings].map(kind));
  if (asWords === undefined) return 'it takes a structure, or an argument of more than 8 bytes';
  const most = shorter.lastIndexOf(undefined);
  return most < 0 ? undefined : `it takes more than ${most} ${most === 1 ? 'argument' : 'arguments'}`;
}

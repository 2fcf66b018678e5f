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

/** Types that were tried, by their sizes, with the refusal of each; undefined: it is accepted. */
type Tried = Map<string, RefusedCall | undefined>;

/**
 * Why a client is refused a function of a type; undefined: it may attach to it. Each type is tried once, by attaching
 * to a function of it alone; whether a word is a pointer or has a sign makes no difference.
 */
export function refusalsOf(
  client: CostClient,
  signatures: readonly string[],
): (signature: string) => KeptOff | undefined {
  const sizes = new Map([...new Set(signatures)].map((signature) => [signature, sizesOf(signature)]));
  const kinds = [...new Set(sizes.values())];
  const tried: Tried = new Map();
  tryAll(client, kinds, tried);
  const refused = new Map<string, KeptOff>();
  for (const kind of kinds) {
    const by = tried.get(kind);
    if (by !== undefined) refused.set(kind, { why: reasonOf(client, kind, by, tried), by });
  }
  return (signature) => refused.get(sizes.get(signature) ?? sizesOf(signature));
}

/** `u64, u32 -> u32` of `ptr, s32 -> s32`. */
function sizesOf(signature: string): string {
  return signature.replace(/\bptr\b/g, 'u64').replace(/\bs(?=(8|16|32|64|128)\b)/g, 'u');
}

/** Tries the types that were not, some on each kernel. */
function tryAll(client: CostClient, kinds: readonly string[], tried: Tried): void {
  const others = kinds.filter((kind) => !tried.has(kind));
  for (let from = 0; from < others.length; from += AT_ONCE) {
    const some = others.slice(from, from + AT_ONCE);
    attempts(client, some).forEach((by, i) => {
      tried.set(item(some, i), by);
    });
  }
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
function reasonOf(client: CostClient, text: string, by: RefusedCall, tried: Tried): string {
  const signature = parseSignature(text);
  const { args, ret } = signature;
  const { trampolineSlotsMax: most } = profileNamed(client.profile);
  if (args.length > ARGS_MAX) return `it takes more than ${ARGS_MAX} arguments`;
  if (ret.struct) return 'it returns a structure';
  if (args.some(({ size }) => size > ARG_BYTES_MAX))
    return `it takes a structure of more than ${ARG_BYTES_MAX} bytes`;
  if (slotCount(signature) > most) return `it takes more than ${most} words of arguments`;
  return reasonFound(client, signature, tried) ?? by.guard;
}

/** A limit that only some designs have: simpler types find it. */
function reasonFound(client: CostClient, { args, ret }: Signature, tried: Tried): string | undefined {
  const isWord = ({ size, struct }: Type) => size <= 8 && !struct;
  const kind = (types: readonly string[]) => sizesOf(`${types.join(', ')} -> ${ret.name}`);
  const words = args.map((type) => (isWord(type) ? type.name : 'u64'));
  const beginnings = args.map((_, i) => words.slice(0, i));
  const simpler = [words, ...beginnings].map(kind);
  tryAll(client, simpler, tried);
  const [asWords, ...shorter] = simpler.map((type) => tried.get(type));
  if (asWords === undefined) return 'it takes a structure, or an argument of more than 8 bytes';
  const most = shorter.lastIndexOf(undefined);
  return most < 0 ? undefined : `it takes more than ${most} ${most === 1 ? 'argument' : 'arguments'}`;
}

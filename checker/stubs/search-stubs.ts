import type { Argument } from '../../model/abi/x86-64.ts';
import { present } from '../../model/core/present.ts';
import { assembleStub } from '../../model/tracepoint/execute-stub.ts';
import { emitStub, planStub, TRACE_ARGS_MAX } from '../../model/tracepoint/stub.ts';
import { typeNamed } from '../../model/trampoline/signature.ts';
import type { StubLaw } from '../../properties/law/stub-law.ts';
import type { PlantedStub } from '../../properties/planted/stubs/stubs.ts';
import type { StubBreach } from './judge-stub.ts';
import { judgeStub } from './judge-stub.ts';

/** CAST_TO_U64() distinguishes only sizes: one type of each, the simplest first. */
const PLAINEST = ['u64', 'u32', 'u16', 'u8'];

/** Prototypes that are tried, at most: all of up to six arguments, and some of seven. */
const TRIED_MOST = 6_000;

/** The stub of a prototype, with the planted bug if there is one. */
export function stubFor(args: readonly Argument[], planted: PlantedStub | undefined): Uint8Array {
  const items = planStub(args);
  return assembleStub((a) => emitStub(a, planted?.edit(items) ?? items, false));
}

/** A prototype whose stub breaks a law. */
export interface BrokenStub {
  readonly types: readonly string[];
  readonly breach: StubBreach;
}

/** The smallest prototype whose stub breaks one of these laws, if there is one within the bound, and how many were tried. */
export function smallestBroken(
  planted: PlantedStub,
  laws: readonly StubLaw[],
  most = TRIED_MOST,
): { readonly found: BrokenStub | undefined; readonly tried: number } {
  let tried = 0;
  for (const types of prototypes()) {
    if (tried === most) break;
    tried++;
    const args = types.map((name) => present(typeNamed(name), name));
    const breach = judgeStub(stubFor(args, planted), args, laws);
    if (breach !== undefined) return { found: { types, breach }, tried };
  }
  return { found: undefined, tried };
}

/** All prototypes of the four sizes, the shortest first, and of one length those of plainer types. */
export function* prototypes(): Generator<readonly string[]> {
  for (let length = 1; length <= TRACE_ARGS_MAX; length++) yield* ofLength(length);
}

function* ofLength(length: number): Generator<readonly string[]> {
  if (length === 0) yield [];
  else for (const first of PLAINEST) for (const rest of ofLength(length - 1)) yield [first, ...rest];
}

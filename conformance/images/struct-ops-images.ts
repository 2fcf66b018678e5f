import { z } from 'zod';
import { item } from '../../model/core/present.ts';
import { planImage } from '../../model/trampoline/plan/plan.ts';
import type { PlanRequest } from '../../model/trampoline/plan/planner.ts';
import { plainProgram, programCode } from '../../model/trampoline/program.ts';
import { LAYOUT } from '../../model/trampoline/stage/layout.ts';
import { placeMembers } from '../../model/trampoline/struct-ops.ts';
import type { Word } from '../../model/x86/word.ts';
import { displacement, fromHex } from '../../model/x86/word.ts';
import type { Identity, Located } from './identity.ts';
import { basicSymbols, compareImage } from './identity.ts';
import {
  profileOf,
  recordedBoot,
  recordedConditions,
  recordedKernel,
  recordedLines,
} from './recorded-kernel.ts';

/*
 * Images of struct_ops members of real kernels, read from memory (/proc/kcore) after BPF_MAP_UPDATE_ELEM of a map with a
 * program for each member. Those of tcp_congestion_ops in 6.1 were found through the list of congestion controls, all
 * others by their symbols. `lab_sops` is the struct of a module with members of up to eight arguments, which it called at
 * BPF_LINK_CREATE; its programs return a word of ctx.
 */

const recordedCall = z.object({
  args: z.array(z.string()),
  /** The program returns this word of ctx. */
  word: z.number(),
  returned: z.string(),
});

const recordedMember = z.object({
  member: z.string(),
  args: z.array(z.string()),
  ret: z.string(),
  image_addr: z.string(),
  image_hex: z.string(),
  symbols: z.record(z.string(), z.string()),
  call: recordedCall.optional(),
});

const recordedMap = z.object({
  kernel: recordedKernel,
  boot: recordedBoot,
  type: z.string(),
  sleepable: z.boolean(),
  members: z.array(recordedMember),
});

/** One line of the recording: a map, and the image of each member that has a program, in the order of the struct. */
export type RecordedMap = z.infer<typeof recordedMap>;
export type RecordedMember = z.infer<typeof recordedMember>;
type RecordedCall = z.infer<typeof recordedCall>;

export function parseStructOpsMaps(text: string): RecordedMap[] {
  return recordedLines(text, recordedMap);
}

/** The stub of a member, which its image does not refer to. */
const STUB = LAYOUT.traced;

/** Compares a recorded image with the one that the model generates for this member. */
export function compareMember(map: RecordedMap, member: RecordedMember): Identity {
  return compareImage(locateMember(map, member));
}

/** The image of a member. */
export function locateMember(map: RecordedMap, member: RecordedMember): Located {
  const request = requestOf(map, member);
  const base = fromHex(member.image_addr);
  const symbols = basicSymbols(base, STUB, request.ibt);
  for (const [address, name] of Object.entries(member.symbols))
    symbols.set(/^bpf_prog_[0-9a-f]{16}_/.test(name) ? programCode(plainProgram(1)) : name, fromHex(address));
  const bytes = Uint8Array.from(Buffer.from(member.image_hex, 'hex'));
  return { request, bytes, base, traced: STUB, symbols, nameless: new Set() };
}

function requestOf({ kernel, boot, sleepable }: RecordedMap, member: RecordedMember): PlanRequest {
  return {
    ...recordedConditions(kernel, boot, member),
    programs: [{ ...plainProgram(1), structOps: true, sleepable }],
    sticky: { shareIpmodify: false, tailCallCtx: false },
  };
}

/** The first member whose image does not lie where the model places it: in which page of the map, and where in that. */
export function firstMisplaced({ kernel, members }: RecordedMap): string | undefined {
  const lengths = members.map(({ image_hex }) => image_hex.length / 2);
  const places = placeMembers(profileOf(kernel), lengths);
  if (typeof places === 'string') return places;
  const pages: Word[] = [];
  return members.find(({ image_addr }, i) => {
    const { page, offset } = item(places, i);
    const address = fromHex(image_addr);
    return displacement(address, (pages[page] ??= address)) !== offset;
  })?.member;
}

/**
 * The argument that a recorded call returns in the model, in hexadecimal; undefined: what is in the caller's frame above its
 * arguments. The caller has them above `rbp` and the return address.
 */
export function returnedArgument(
  map: RecordedMap,
  member: RecordedMember,
  { args, word }: RecordedCall,
): string | undefined {
  const { frame, slots } = planImage(requestOf(map, member));
  const { place } = item(slots, word);
  if (place.in === 'register') return item(args, word);
  const read = frame.callerStackAt + 8 * place.index;
  const found = slots.findIndex(
    (slot) => slot.place.in === 'stack' && CALLER_STACK + 8 * slot.place.index === read,
  );
  return args[found];
}

const CALLER_STACK = 16;

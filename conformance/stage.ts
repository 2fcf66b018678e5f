import { stackWords } from '../model/abi/x86-64.ts';
import { CALL_DEPTH } from '../model/trampoline/generate.ts';
import type { Request } from '../model/trampoline/plan.ts';
import { abiSlots } from '../model/trampoline/signature.ts';
import { CALL_DEPTH_ADDRESS, GS_BASE, LAYOUT } from '../model/trampoline/stage/layout.ts';
import type { Pad, Stage } from '../model/trampoline/stage/stage.ts';
import { createStage, PLAIN_STAGE, SITE_BYTES, siteOffset } from '../model/trampoline/stage/stage.ts';
import { bodyStub, programStub } from '../model/trampoline/stage/stubs.ts';
import { Assembler } from '../model/x86/assemble.ts';
import { forgetCode } from '../model/x86/machine.ts';
import { writeBytes } from '../model/x86/memory.ts';
import type { Word } from '../model/x86/word.ts';
import { fromHex, plus } from '../model/x86/word.ts';
import type { Body } from './bodies.ts';
import { assembleBodies } from './bodies.ts';
import type { Recorded } from './record.ts';

/** A stage at the addresses of a record: helpers, programs and structures stand where its image expects them. */
export interface RecordedStage {
  readonly stage: Stage;
  /** Where the traced function's body starts, and the live patch's handler. */
  readonly body: Word;
  readonly handler: Word;
}

/** Distance from our stubs to the recorder's bodies, and what has to be free around them. */
const BODIES_OFFSET = 0x100000;
const OUR_TEXT_BYTES = 0x200000;

/** Places for our stubs; the first that keeps clear of all recorded addresses is taken. */
const TEXT_BASES = [LAYOUT.text, fromHex('0xffffffff8f000000'), fromHex('0xffffffff9f000000'), fromHex('0xffffffffaf000000'), fromHex('0xffffffffb7000000')];

/** Builds the stage; `symbols` are the record's addresses, `bound` what its image told (`identity.ts`). */
export function recordedStage(record: Recorded, body: Body, symbols: ReadonlyMap<string, Word>, bound: ReadonlyMap<string, Word>): RecordedStage {
  const traced = fromHex(record.func_addr);
  const image = fromHex(record.image_addr!);
  const text = freeText([...symbols.values()]);
  const base = plus(text, BODIES_OFFSET);
  const bodies = assembleBodies(body, base, traced, image);
  const counter = bound.get(CALL_DEPTH);
  const stage = createStage({
    ...PLAIN_STAGE,
    layout: { text, traced, image },
    imageBytes: record.image_hex!.length / 2,
    callDepth: counter === undefined ? CALL_DEPTH_ADDRESS : perCpu(counter),
    structs: structsOf(bound),
    pads: padsOf(symbols, abiSlots(body.signature).length),
    extra: { base, bytes: bodies.bytes },
  });
  const at = (label: string) => plus(base, bodies.labels.get(label)!);
  return { stage, body: at('body'), handler: at('handler') };
}

function freeText(taken: readonly Word[]): Word {
  const free = TEXT_BASES.find((base) =>
    taken.every(({ hi, lo }) => hi !== base.hi || (lo - base.lo) >>> 0 >= OUR_TEXT_BYTES),
  );
  if (free === undefined) throw new Error('no room for the stubs between the recorded addresses');
  return free;
}

/** An address relative to the `%gs` base. */
function perCpu({ hi, lo }: Word): Word {
  const sum = (GS_BASE.lo >>> 0) + (lo >>> 0);
  return { hi: (GS_BASE.hi + hi + (sum > 4294967295 ? 1 : 0)) | 0, lo: sum | 0 };
}

function structsOf(bound: ReadonlyMap<string, Word>): (Word | undefined)[] {
  const structs: (Word | undefined)[] = [];
  for (const [symbol, word] of bound) if (symbol.startsWith('&prog#')) structs[Number(symbol.slice(6))] = word;
  return structs;
}

/** A jump to our stub at the address of every function that the image calls. */
function padsOf(symbols: ReadonlyMap<string, Word>, slots: number): Pad[] {
  const pads: Pad[] = [];
  for (const [name, address] of symbols) {
    if (name.startsWith('prog#')) pads.push({ name, address, stub: programStub(Number(name.slice(5)), slots) });
    else if (/^__bpf_|_return_thunk$/.test(name)) pads.push({ name, address, stub: name });
  }
  return pads;
}

/** Puts the recorded image in place, and the traced function in front of a body: ours, or the recorder's. */
export function installRecorded(recorded: RecordedStage, record: Recorded, bytes: Uint8Array, ibt: boolean, body: Word): void {
  const { stage } = recorded;
  writeBytes(stage.image, 0, bytes);
  forgetCode(stage.machine, stage.image);
  const site = siteOffset(ibt) + SITE_BYTES;
  const start = Uint8Array.from(Buffer.from(record.entry_hex, 'hex').subarray(0, site));
  const a = new Assembler(stage.layout.traced, (name) => (name === 'body' ? body : recorded.handler));
  a.bytes(record.coexist === undefined ? start : start.subarray(0, siteOffset(ibt)));
  if (record.coexist !== undefined) a.call('handler');
  a.jump('body');
  writeBytes(stage.traced, 0, a.finish().bytes);
  forgetCode(stage.machine, stage.traced);
}

/** The stub that stands for any body, for the laws. */
export function anyBody({ stage }: RecordedStage, request: Request): Word {
  return stage.stubs[bodyStub(stackWords(abiSlots(request.signature)))]!;
}

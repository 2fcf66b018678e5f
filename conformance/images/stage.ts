import { present } from '../../model/core/present.ts';
import { SITE_BYTES, siteOffset } from '../../model/trampoline/stage/install.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { Assembler } from '../../model/x86/assemble.ts';
import { forgetCode } from '../../model/x86/machine.ts';
import { writeBytes } from '../../model/x86/memory.ts';
import type { Word } from '../../model/x86/word.ts';
import { plus } from '../../model/x86/word.ts';
import { assembleBodies } from './bodies.ts';
import type { ForeignImage, Staged } from './foreign.ts';
import { stageForeign } from './foreign.ts';
import type { RecordedImage } from './record.ts';

/** A recorded image on its stage, with the recorder's functions beside our stubs. */
export interface RecordedStage extends Staged {
  readonly traced: TracedFunction;
  /** The addresses of the traced function's body and of the live patch's handler. */
  readonly body: Word;
  readonly handler: Word;
}

/** Distance from our stubs to the recorder's bodies. */
const BODIES_OFFSET = 0x100000;

export function stageRecorded(image: ForeignImage, body: TracedFunction): RecordedStage {
  let labels: ReadonlyMap<string, number> = new Map();
  const extra = (text: Word) => {
    const base = plus(text, BODIES_OFFSET);
    const assembled = assembleBodies(body, base, image.traced, image.base);
    labels = assembled.labels;
    return { base, bytes: assembled.bytes };
  };
  const staged = stageForeign({ ...image, extra });
  const positionOf = (label: string) =>
    plus(staged.stage.layout.text, BODIES_OFFSET + present(labels.get(label), label));
  return { ...staged, traced: body, body: positionOf('body'), handler: positionOf('handler') };
}

/** Puts the recorded image in place, and the traced function, with its recorded site, before its body. */
export function installRecorded(
  { stage, subject, body, handler }: RecordedStage,
  record: RecordedImage,
): void {
  writeBytes(stage.image, 0, subject.bytes);
  forgetCode(stage.machine, stage.image);
  const { ibt } = subject.entry;
  const patched = record.coexist !== undefined;
  const start = Uint8Array.from(
    Buffer.from(record.entry_hex, 'hex').subarray(0, siteOffset(ibt) + (patched ? 0 : SITE_BYTES)),
  );
  const a = new Assembler(stage.layout.traced, (name) => (name === 'body' ? body : handler));
  a.bytes(start);
  if (patched) a.call('handler');
  a.jump('body');
  writeBytes(stage.traced, 0, a.finish().bytes);
  forgetCode(stage.machine, stage.traced);
  stage.installed.site = -1;
}

import type { EventName, StageEvent } from '../../model/trampoline/stage/event.ts';
import type { TaggedWord } from '../../model/x86/origin.ts';
import type { Word } from '../../model/x86/word.ts';
import type { ImageFinding } from '../finding/image-finding.ts';
import type { Subject } from '../observed/subject.ts';

/** A breach in an image, and where it shows. */
export interface FoundInImage {
  readonly finding: ImageFinding;
  /** Address of the instruction at which it shows. */
  readonly at?: Word;
  /** Or the address that the call returns to, and at which it shows. */
  readonly returnsTo?: Word;
  /** Address of the wrong word in memory: the report shows the instruction that wrote it last. */
  readonly slot?: Word;
}

/** The end of a finished call: the caller's registers and memory are compared with those before it. */
export interface EndOfPath {
  /** Word and tags of a register by hardware number. */
  readonly register: (reg: number) => TaggedWord;
  /** Word and tags of `current->bpf_ctx`. */
  readonly taskContext: TaggedWord;
}

/** Maps the law's memory before an event to the memory after it, or to a breach. Memory starts at 0. */
export type Observer = (memory: number, event: StageEvent, subject: Subject) => number | FoundInImage;

/**
 * A property of every call through an image: the premise under which it applies, and an observer of the events of a
 * call.
 *
 * An observer's memory is one small number, so that two calls at the same place with the same memory have the same
 * future: the search joins them there.
 */
export interface Law {
  /** `trampoline/<file name>`. */
  readonly name: string;
  readonly sentence: string;
  /** Kernel file and function. */
  readonly source: string;
  /** Whether an image exercises the law at all. */
  readonly premise: (subject: Subject) => boolean;
  /** The text of the witness in "exercised in 8.2 % of sequences (…)". */
  readonly witness: string;
  /** Checks the image without execution. */
  readonly inspect?: (subject: Subject) => FoundInImage | undefined;
  /** The observers of the events of a call, by kind. */
  readonly on?: Partial<Readonly<Record<EventName, Observer>>>;
  /** The check at the return to the caller. */
  readonly conclude?: (memory: number, end: EndOfPath, subject: Subject) => FoundInImage | undefined;
}

import type { EventName, StageEvent } from '../../model/trampoline/stage/event.ts';
import type { TaggedWord } from '../../model/x86/origin.ts';
import type { Word } from '../../model/x86/word.ts';
import type { ImageFinding } from '../finding/image-finding.ts';
import type { Subject } from '../observed/subject.ts';

/** What a law finds wrong, and where in the image it shows. */
export interface FoundInImage {
  readonly finding: ImageFinding;
  /** Address of the instruction that it is seen at. */
  readonly at?: Word;
  /** Or the address that the call returns to, in which it is seen. */
  readonly returnsTo?: Word;
  /** Address of the word of memory that is wrong: whoever wrote it last is shown. */
  readonly slot?: Word;
}

/** How a call ended, when it did end: the caller's registers and memory are compared with what it had before. */
export interface EndOfPath {
  /** Word and tags of a register by hardware number. */
  readonly register: (reg: number) => TaggedWord;
  /** Word and tags of `current->bpf_ctx`. */
  readonly taskContext: TaggedWord;
}

/** Takes the law's memory before an event and gives the memory after it, or what is wrong. Memory starts at 0. */
export type Observer = (memory: number, event: StageEvent, subject: Subject) => number | FoundInImage;

/**
 * A property of every call through an image: one sentence, the kernel source that it comes from, the premise
 * under which it says anything, and an observer of the events of a call.
 *
 * An observer's memory is one small number, so that two calls which stand at the same place with the same memory
 * have the same future: the search joins them there.
 */
export interface Law {
  /** `trampoline/<file name>`. */
  readonly name: string;
  readonly sentence: string;
  /** Kernel file and function. */
  readonly source: string;
  /** Whether an image exercises the law at all: its witness. */
  readonly premise: (subject: Subject) => boolean;
  /** What the witness is, to be read after "held while". */
  readonly witness: string;
  /** Looks at the image without running it. */
  readonly inspect?: (subject: Subject) => FoundInImage | undefined;
  /** The observers of the events of a call, by kind. */
  readonly on?: Partial<Readonly<Record<EventName, Observer>>>;
  /** What is wrong at the return to the caller. */
  readonly conclude?: (memory: number, end: EndOfPath, subject: Subject) => FoundInImage | undefined;
}

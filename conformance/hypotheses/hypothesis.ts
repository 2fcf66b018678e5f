import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { CallerScript } from '../../properties/observed/scenario.ts';

/** A suspicion about the kernels from reading them, and its outcome. */
export interface Hypothesis {
  /** `F1`: on ftrace; `T1`: on BPF trampolines. */
  readonly id: string;
  /** The suspicion, in one sentence. */
  readonly claim: string;
  /** Kernels in which it is true, and those in which it is false. */
  readonly confirmed: readonly string[];
  readonly refuted: readonly string[];
  /** Kernels in which the model cannot show it. */
  readonly open?: readonly string[];
  /** Why, in sentences. */
  readonly why: string;
  /** The kernel's functions, with the versions. */
  readonly source: string;
  /** Saved counterexamples that show it, below the corpus and without `.trace`. */
  readonly traces?: readonly string[];
  readonly explored?: readonly ExploredScenario[];
  readonly played?: readonly PlayedSequence[];
  /** Reports what recordings show. */
  readonly recorded?: () => string;
}

/** Every interleaving of a few operations and calls, and the question about them. */
export interface ExploredScenario {
  readonly kernels: readonly string[];
  readonly functions: readonly TracedFunction[];
  /** In the spelling of traces, as the clients' operations. */
  readonly setup: readonly string[];
  readonly clients: readonly (readonly string[])[];
  readonly callers: readonly CallerScript[];
  /** The laws that are checked, or the question checked only here. */
  readonly laws: readonly TaskLaw[];
  /** Kernels in which one of them is broken. */
  readonly brokenIn: readonly string[];
}

/** Client calls one after the other on `f1` and `f2`, in the spelling of traces. */
export interface PlayedSequence {
  readonly kernels: readonly string[];
  readonly actions: readonly string[];
}

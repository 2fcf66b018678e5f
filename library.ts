/**
 * attachcheck as a library. The exports of this file are the stable interface of the package; everything else may
 * change any day. An `InputError` says in one sentence which text cannot be parsed, or which name is unknown or taken.
 *
 * Kernels are named by their profiles: `6.12`, or with overridden behaviours, `6.12, multiLinks = batch`. Functions and calls
 * of clients are written in the language of `docs/traces.md`.
 */

/* Kernels: booted, acted on, called. */
export type { Declaration } from './api/declared-functions.ts';
/* Drawing, for your own properties with your own fast-check. */
export { sequences } from './api/draw.ts';
/* Trampoline images: generated, or supplied as bytes; executed, judged. */
export type { Combination, ExecutedImage, ImageJudged, NoImage, TrampolineImage } from './api/image.ts';
export { executeImage, generateImage, judgeImage, readImage } from './api/image.ts';
export type { Acted, Booted } from './api/kernel.ts';
export { act, boot, call } from './api/kernel.ts';
/* Interleavings: all of them, of some clients and calls. */
export type { BrokenByOrder, Interleaved, ScenarioParts, SearchBounds } from './api/scenario.ts';
export { explore, scenario } from './api/scenario.ts';
export type { Sequence, ToldBreach, Verdict } from './api/sequence.ts';
export { judge, parseSequence, printSequence, shrink } from './api/sequence.ts';
export { UnmatchedImage } from './conformance/images/foreign.ts';
export type { CallRun } from './model/call/call-frame.ts';
export type { Outcome } from './model/call/outcome.ts';
export type { Action } from './model/client/all.ts';
export type { Errno } from './model/core/errno.ts';
export type { CallEvent } from './model/core/event.ts';
/* Sequences: read, printed, judged by all laws. */
export { InputError } from './model/core/input-error.ts';
export type { OwnFinding } from './model/core/own-finding.ts';
/* The vocabulary of a design (`docs/adding-a-design.md`): the kernel's routines, and its state. */
export type { Part, Routine } from './model/core/part.ts';
export { entry } from './model/core/present.ts';
export type { KernelVersion, Profile } from './model/core/profile.ts';
/* Your own laws, designs and kernels: `attachcheck --with FILE` loads a module that registers them. */
export { PROFILES, registerProfile } from './model/core/profile.ts';
export type { Unregister } from './model/core/register.ts';
export type { RoutineWords } from './model/core/routine.ts';
export { routine } from './model/core/routine.ts';
export { warn } from './model/core/world.ts';
export type { KernelView } from './model/kernel.ts';
export { registerDesign } from './model/step.ts';
export type { CountRow, Counts } from './model/trampoline/designs/count.ts';
export { counted } from './model/trampoline/designs/count.ts';
export type { Design, DesignData, LinkArgs, SingleArgs } from './model/trampoline/designs/design.ts';
export { designData } from './model/trampoline/designs/design.ts';
export type { Disagreement } from './model/trampoline/designs/disagreement.ts';
export type { MultiTarget } from './model/trampoline/designs/targets.ts';
export {
  refuseMultiTarget,
  TARGET_ERRNOS,
  takeTarget,
  targetsOf,
} from './model/trampoline/designs/targets.ts';
export { bpfTrampolineLinkProg, bpfTrampolineUnlinkProg } from './model/trampoline/link.ts';
export type { TracedFunction } from './model/trampoline/traced-function.ts';
export { bpfTrampolineGet, bpfTrampolinePut } from './model/trampoline/trampoline.ts';
export type { BpfView, BpfWorld } from './model/trampoline/world.ts';
export { ATTACH_LAWS } from './properties/attach-laws.ts';
export type { Law } from './properties/law/image-law.ts';
export type { TaskJudgement, TaskLaw, TaskMoment } from './properties/law/interleaving-law.ts';
export type { AttachLaw, Judgement, Moment } from './properties/law/sequence-law.ts';
export { IMAGE_LAWS } from './properties/laws.ts';
export type { Scenario } from './properties/observed/scenario.ts';
export type { Boards } from './properties/register-law.ts';
export { registerLaw } from './properties/register-law.ts';
export { TASK_LAWS } from './properties/task-laws.ts';

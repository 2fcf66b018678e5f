import type { DoneStep } from '../../checker/interleavings/cause/done-step.ts';
import { StepRecorder } from '../../checker/interleavings/cause/done-step.ts';
import { untilItDies } from '../../checker/sequences/judge-sequence.ts';
import type { Step } from '../../checker/sequences/played.ts';
import { changeWords } from '../../counterexamples/interleavings/move-text.ts';
import { answerOf } from '../../counterexamples/sequences/attach-report.ts';
import { delta } from '../../counterexamples/sequences/delta.ts';
import { printAction } from '../../model/action-text.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import { crashText } from '../../model/core/crash-words.ts';
import { warningText } from '../../model/core/warning-words.ts';
import type { RoutineFrame } from '../../model/core/world.ts';
import { apply } from '../../model/step.ts';
import { rendered } from '../../properties/finding/render.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';
import { observedStep } from '../explain/observed-step.ts';
import type { PlayedCalls } from '../explain/played-sequence.ts';
import { namedStepBreach, playSequence } from '../explain/played-sequence.ts';
import { addCall } from './call-slices.ts';
import { CALLS, TEXT } from './groups.ts';
import { textValues } from './kernel-values.ts';
import { LastingValues } from './lasting-values.ts';
import { doneSlices } from './move-slices.ts';
import type { Enclosing } from './nested-slices.ts';
import { NestedSlices } from './nested-slices.ts';
import type { TimelineDocument } from './timeline.ts';
import { MOVE, Timeline } from './timeline.ts';

/**
 * A sequence of client calls as a timeline, in each kernel that it is for: a client's call lasts a millisecond, and so does
 * each transfer of control in a call of a function.
 */
export function sequenceTimeline(text: string): TimelineDocument {
  const all = playSequence(text);
  const prefixOf = ({ case: c }: PlayedCalls) => (all.length === 1 ? '' : `${c.profile}: `);
  const groups = all.flatMap((own) => [CALLS, TEXT].map((group) => prefixOf(own) + group));
  const timeline = new Timeline(groups);
  for (const own of all) new Steps(timeline, own, prefixOf(own)).addAll();
  return timeline.document({
    kernels: all.map(({ case: c }) => c.profile),
    law: all[0]?.law ?? null,
    planted: all[0]?.planted ?? null,
    diverged: all.flatMap(({ diverged }) => diverged ?? [])[0] ?? null,
    time: "a client's call, and each transfer of control in a traced call, is one millisecond: the model has no clock",
  });
}

/** Puts the steps of a sequence on the tracks of the client and of the task. */
class Steps {
  private readonly values: LastingValues;
  private readonly client: NestedSlices;
  private now = 0;

  constructor(
    private readonly timeline: Timeline,
    private readonly played: PlayedCalls,
    private readonly prefix: string,
  ) {
    this.values = new LastingValues(timeline);
    this.client = new NestedSlices(timeline, this.on('client'));
  }

  addAll(): void {
    const { steps } = this.played;
    const breach = namedStepBreach(this.played);
    for (const [i, step] of untilItDies(steps).entries()) {
      if (i === 0) this.see(step.before);
      this.add(step, i);
      if (breach?.at !== i) continue;
      const { law, finding } = breach;
      const args = { law: law.name, sentence: law.sentence, step: i + 1, ...rendered(finding) };
      const name = `✗ ${law.name}`;
      this.timeline.instant(this.on('client'), { name, cat: 'breach', ts: this.now, of: 'all', args });
    }
    this.values.end();
  }

  private on(track: string) {
    return { group: this.prefix + CALLS, track };
  }

  private see(k: Step['before']): void {
    const values = textValues(k).map((value) => ({ ...value, group: this.prefix + TEXT }));
    this.values.see(values, this.now);
  }

  private add(step: Step, index: number): void {
    const { action, outcome, before, after } = step;
    const call: Enclosing = {
      name: printAction(action, this.played.case),
      cat: 'call',
      args: {
        step: index + 1,
        answer: answerOf(action, outcome),
        changes: delta(before, after).map(changeWords),
      },
    };
    const told = observedStep(step, this.played.program);
    if (told === undefined) this.operation(step, call);
    else
      this.now = addCall(told, { timeline: this.timeline, track: this.on('task#1'), call, from: this.now });
    this.see(after);
    this.instants(outcome);
  }

  /** A client's call, in whose slice the kernel functions are that serve it. */
  private operation(step: Step, call: Enclosing): void {
    const from = this.now;
    const slices = doneSlices(didIn(step, this.played.program), call);
    const startOf = (i: number) => from + Math.floor((i * MOVE) / slices.length);
    slices.forEach(({ path, slice }, i) => {
      this.client.add(path, { ...slice, from: startOf(i), to: startOf(i + 1) });
    });
    this.client.close(0);
    this.now = from + MOVE;
    if (slices.length === 0) this.timeline.slice(this.on('client'), { ...call, from, to: this.now });
  }

  private instants({ warnings, died }: Step['outcome']): void {
    const now = { ts: this.now, of: 'group' as const };
    for (const warning of warnings)
      this.timeline.instant(this.on('client'), {
        ...now,
        name: `WARN ${warningText(warning)}`,
        cat: 'warning',
      });
    if (died !== undefined) {
      const name = `✗ the kernel crashes: ${crashText(died)}`;
      this.timeline.instant(this.on('client'), { ...now, of: 'all', name, cat: 'crash' });
    }
  }
}

/** The steps of the kernel functions that serve a client's call. */
function didIn({ before, action }: Step, program: KernelProgram): readonly DoneStep[] {
  const recorder = new StepRecorder();
  let frames: readonly RoutineFrame[] = [];
  const watch = recorder.watch(() => frames, program.instructions);
  apply(copyKernel(before), action, program, {
    ...watch,
    step: (instruction, k, locals, operation) => {
      ({ frames } = operation);
      watch.step?.(instruction, k, locals, operation);
    },
  });
  return recorder.take();
}

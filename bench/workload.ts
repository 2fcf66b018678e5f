import type { ImageCase } from '../checker/images/case.ts';
import { programsOfCase, targetOfCase } from '../checker/images/case.ts';
import { drawCases } from '../checker/images/check.ts';
import type { ArgumentSlot } from '../model/abi/x86-64.ts';
import { stackWords } from '../model/abi/x86-64.ts';
import { requestFor } from '../model/trampoline/attach.ts';
import { enteredByJmp } from '../model/trampoline/flags.ts';
import type { Generated } from '../model/trampoline/generate.ts';
import { generate } from '../model/trampoline/generate.ts';
import { planImage } from '../model/trampoline/plan/plan.ts';
import type { ImagePlan, PlanRequest } from '../model/trampoline/plan/planner.ts';
import { parsePrograms } from '../model/trampoline/program-text.ts';
import { abiSlots, parseSignature, slotCount } from '../model/trampoline/signature.ts';
import { createStage } from '../model/trampoline/stage/create-stage.ts';
import { installImage } from '../model/trampoline/stage/install.ts';
import { beginCall, callWith } from '../model/trampoline/stage/prepare.ts';
import { PLAIN_STAGE } from '../model/trampoline/stage/spec.ts';
import type { PreparedCall, Stage } from '../model/trampoline/stage/stage.ts';
import { CALLER_RETURN } from '../model/trampoline/stage/stubs.ts';
import { stageSymbols } from '../model/trampoline/stage/symbols.ts';
import { setBreakpoint } from '../model/x86/link.ts';
import { forgetCode } from '../model/x86/machine.ts';
import { offsetIn } from '../model/x86/memory.ts';
import { run } from '../model/x86/run.ts';

/** The image that is measured: nine argument words, a fentry and a fexit program, as 6.12 generates it. */
const CASE: ImageCase = {
  kernel: '6.12',
  boot: 'default',
  ibt: true,
  args: parseSignature('u64 x9').args.map(({ name }) => name),
  ret: 'u64',
  programs: parsePrograms('fentry, fexit'),
  ipmodify: false,
  tailCalls: false,
};

/** A stage with the image installed, ready to be called again and again. */
export interface Workload {
  readonly stage: Stage;
  readonly request: PlanRequest;
  /** Where its arguments are passed. */
  readonly slots: readonly ArgumentSlot[];
  readonly call: PreparedCall;
}

export function createWorkload(): Workload {
  const stage = createStage(PLAIN_STAGE);
  stage.machine.strict = true;
  forgetStubs(stage);
  const request = requestOf(CASE);
  const slots = abiSlots(request.signature);
  install(stage, request, slots);
  return { stage, request, slots, call: callWith(stage, slots) };
}

/** Drops everything that has been decoded outside the image, and sets the breakpoint that ends a call. */
function forgetStubs(stage: Stage): void {
  forgetCode(stage.machine, stage.text);
  forgetCode(stage.machine, stage.traced);
  const end = stage.stubs[CALLER_RETURN]!;
  setBreakpoint(stage.machine, stage.text, offsetIn(stage.text, end.hi, end.lo));
}

/** The request for the image of a case whose programs are all attached. */
function requestOf(c: ImageCase): PlanRequest {
  const attached = programsOfCase(c);
  return requestFor(targetOfCase(c), { attached, shareIpmodify: false, refusal: undefined });
}

/** Generates an image and puts it in place. */
function install(stage: Stage, request: PlanRequest, slots: readonly ArgumentSlot[]): void {
  const plan = planImage(request);
  const symbols = stageSymbols(stage, slots.length, request.ibt);
  const { image } = accepted(plan, generate(plan, stage.layout.image, symbols));
  const entry = { ibt: request.ibt, jmp: enteredByJmp(plan.flags), redirected: false };
  installImage(stage, image.bytes, entry, stackWords(slots));
}

function accepted(plan: ImagePlan, generated: Generated): Exclude<Generated, { refused: unknown }> {
  if ('refused' in generated)
    throw new Error(`an image for ${plan.slots.length} words is ${generated.refused}`);
  return generated;
}

/** Instructions of one call, at most. */
const BUDGET = 20_000;

/** One checked execution: fresh registers, stack and log, bounds and origins checked, back at the caller. */
function execute(stage: Stage, call: PreparedCall): void {
  beginCall(stage, call);
  const stop = run(stage.machine, BUDGET);
  if (stop.kind !== 'breakpoint') throw new Error(`the call ended with ${stop.kind}`);
}

/** The same image over and over. */
export function executeSame({ stage, call }: Workload, count: number): void {
  for (let i = 0; i < count; i++) execute(stage, call);
}

/** An image planned, generated and installed for every execution, with nothing decoded before. */
export function executeFresh({ stage, request, slots, call }: Workload, count: number): void {
  for (let i = 0; i < count; i++) {
    forgetStubs(stage);
    install(stage, request, slots);
    execute(stage, call);
  }
}

/** The same among stubs that have been decoded long ago, as in a search. */
export function executeImage({ stage, request, slots, call }: Workload, count: number): void {
  for (let i = 0; i < count; i++) {
    install(stage, request, slots);
    execute(stage, call);
  }
}

/** A fresh image of a signature and programs that fast-check draws, with nothing decoded before. */
export function executeDrawn({ stage }: Workload, count: number, seed: number): void {
  drawCases({ seed, numRuns: count }, (c) => {
    const request = requestOf(c);
    const fitting = isAccepted(request) ? request : requestOf(CASE);
    const slots = abiSlots(fitting.signature);
    forgetStubs(stage);
    install(stage, fitting, slots);
    execute(stage, callWith(stage, slots));
  });
}

/** Whether the generator makes an image of it: the few that it refuses are replaced, so that all are executed. */
function isAccepted({ signature, profile, programs }: PlanRequest): boolean {
  const fits = signature.args.every(({ size }) => size <= 16);
  return fits && slotCount(signature) <= profile.trampolineSlotsMax && programs.length <= PROGRAMS_MOST;
}

/** Programs of which every image stays within its page. */
const PROGRAMS_MOST = 8;

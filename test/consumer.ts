import type {
  Acted,
  Action,
  AttachLaw,
  Boards,
  Booted,
  BpfView,
  BpfWorld,
  BrokenByOrder,
  CallEvent,
  CallRun,
  Combination,
  CountRow,
  Counts,
  Declaration,
  Design,
  DesignData,
  Disagreement,
  Errno,
  ExecutedImage,
  ImageJudged,
  Interleaved,
  Judgement,
  KernelVersion,
  KernelView,
  Law,
  LinkArgs,
  Moment,
  MultiTarget,
  NoImage,
  Outcome,
  OwnFinding,
  Part,
  Profile,
  Routine,
  RoutineWords,
  Scenario,
  ScenarioParts,
  SearchBounds,
  Sequence,
  SingleArgs,
  TaskJudgement,
  TaskLaw,
  TaskMoment,
  ToldBreach,
  TracedFunction,
  TrampolineImage,
  Unregister,
  Verdict,
} from 'attachcheck';
import {
  ATTACH_LAWS,
  act,
  boot,
  bpfTrampolineGet,
  bpfTrampolineLinkProg,
  bpfTrampolinePut,
  bpfTrampolineUnlinkProg,
  call,
  counted,
  designData,
  entry,
  executeImage,
  explore,
  generateImage,
  IMAGE_LAWS,
  InputError,
  judge,
  judgeImage,
  PROFILES,
  parseSequence,
  printSequence,
  readImage,
  refuseMultiTarget,
  registerDesign,
  registerLaw,
  registerProfile,
  routine,
  scenario,
  sequences,
  shrink,
  TARGET_ERRNOS,
  TASK_LAWS,
  takeTarget,
  targetsOf,
  UnmatchedImage,
  warn,
} from 'attachcheck';
import fc from 'fast-check';

/* Every name of the library, used with its types by a user's module. It is compiled, never run. */

export function sequence(text: string, laws: readonly AttachLaw[] = ATTACH_LAWS): string {
  const read: Sequence = parseSequence(text);
  const { answers, broken, held }: Verdict = judge(read, laws);
  const fresh: readonly ToldBreach[] = broken.filter(({ known }) => known === undefined);
  const small: Sequence = shrink(read, (c) => judge(c).broken.length > 0);
  return [printSequence(small, answers), ...held, ...fresh.map(({ law, step }) => `${law}: ${step}`)].join();
}

export function kernel(declared: readonly Declaration[]): readonly CallEvent[] {
  const booted: Booted = boot('6.12', declared);
  const action: Action = { do: 'close(link)', link: 'link#1' };
  const acted: Acted = act(act(booted, 'prog#1 = BPF_PROG_LOAD(fentry, f1)').kernel, action);
  const outcome: Outcome = acted.outcome;
  const errno: Errno | 0 = outcome.errno;
  const view: KernelView = acted.kernel.state;
  const names: readonly TracedFunction[] = acted.kernel.functions;
  if (errno === 'EBUSY' || view.ftrace.disabled) throw new InputError(names.map(({ name }) => name).join());
  const run: CallRun = call(acted.kernel, 'f1(0x5)');
  return run.events;
}

export function drawn(profile: string): void {
  const arbitrary: fc.Arbitrary<Sequence> = sequences(profile);
  fc.assert(fc.property(arbitrary, ({ actions }) => actions.length <= 40));
}

export function interleavings(text: string): readonly string[] {
  const parts: ScenarioParts = { profile: '6.12', functions: [], clients: [[]] };
  const both: readonly Scenario[] = [scenario(text), scenario(parts)];
  const bounds: SearchBounds = { laws: TASK_LAWS, states: 1000 };
  const found: readonly Interleaved[] = both.map((of) => explore(of, bounds));
  const broken: readonly BrokenByOrder[] = found.flatMap((of) => of.broken);
  return broken.map(({ report }) => report);
}

export function image(content: Uint8Array, symbols: string): bigint | string {
  const combination: Combination = { kernel: '6.12', signature: 'u64 -> u64', programs: 'fentry' };
  const made: TrampolineImage | NoImage = generateImage(combination);
  if ('refused' in made) return made.refused.errno;
  try {
    const read: TrampolineImage = readImage(content, symbols, combination);
    const { events, fault }: ExecutedImage = executeImage(read);
    if (fault !== undefined) return `${fault} after ${events.length}`;
  } catch (error) {
    if (error instanceof UnmatchedImage) return error.message;
    throw error;
  }
  const laws: readonly Law[] = IMAGE_LAWS;
  const judged: ImageJudged = judgeImage(made, laws);
  return judged.paths;
}

const FINDING: OwnFinding = { is: 'in-own-words', expected: 'success', observed: 'EBUSY' };

const NEVER_BUSY: AttachLaw = {
  name: 'mine/never-busy',
  sentence: 'No call is answered EBUSY.',
  source: 'none',
  witness: 'a call was answered',
  judge: ({ outcome }: Moment): Judgement => (outcome.errno === 'EBUSY' ? FINDING : 'held'),
};

const NEVER_ENDS: TaskLaw = {
  name: 'mine/never-ends',
  sentence: 'No operation ends.',
  source: 'none',
  witness: 'an operation ended',
  judge: ({ happening }: TaskMoment): TaskJudgement =>
    happening.is === 'operation over' ? FINDING : 'not applicable',
};

type Own = LinkArgs & MultiTarget;

const attach: Routine<BpfWorld, LinkArgs> = routine<BpfWorld, LinkArgs, Own>(
  'mine_attach',
  ({ refuseWith, step, each, call: calls }: RoutineWords<BpfWorld, Own>): readonly Part[] => [
    refuseWith(TARGET_ERRNOS, 'a target cannot be attached to', (k, { link }) =>
      targetsOf(k, { link })
        .map(({ target }) => refuseMultiTarget(k, { link }, target))
        .find((errno) => errno !== undefined),
    ),
    step('count the link', (k, { link }) => {
      const kept = designData<Kept>(k);
      kept.links += entry(k.bpf.links, link).targets.length;
      if (kept.links > 9) warn(k, { is: 'flags without ops' });
    }),
    each('target', targetsOf, takeTarget, [
      calls(bpfTrampolineGet, (_, { target }) => ({ target })),
      calls(bpfTrampolineLinkProg, (_, { target, node }) => ({ target, node })),
    ]),
  ],
);

const detach = routine<BpfWorld, LinkArgs, Own>('mine_detach', ({ each, call: calls }) => [
  each('target', targetsOf, takeTarget, [
    calls(bpfTrampolineUnlinkProg, (_, { target, node }) => ({ target, node })),
    calls(bpfTrampolinePut, (_, { target }) => ({ target })),
  ]),
]);

/** The single program of a design's predicates. */
const attachSingle = routine<BpfWorld, SingleArgs>('mine_attach_single', ({ call: calls }) => [
  calls(bpfTrampolineLinkProg, (_, { target, node }) => ({ target, node })),
]);

interface Kept {
  links: number;
}

const ROW: CountRow = counted<Own>(
  'mine_attach',
  'count the link',
  (): Partial<Counts> => ({ textPokes: 1 }),
);

const MINE: Design = {
  name: 'mine',
  sentence: 'One function after the other.',
  source: 'none',
  kinds: ['fentry', 'fexit'],
  attach,
  detach,
  linkSingle: attachSingle,
  start: (): DesignData => ({ links: 0 }) satisfies Kept,
  disagreement: (k: BpfView): Disagreement | undefined =>
    designData<Kept>(k).links < 0 ? FINDING : undefined,
  counts: [ROW],
};

export function registered(board: keyof Boards, from: KernelVersion): readonly Unregister[] {
  const profile: Profile = { ...PROFILES[from], linksMax: 3 };
  const law =
    board === 'interleavings'
      ? registerLaw('interleavings', NEVER_ENDS)
      : registerLaw('sequences', NEVER_BUSY);
  return [law, registerDesign(MINE), registerProfile(`${from}-mine`, profile)];
}

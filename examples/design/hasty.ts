import type { BpfWorld, LinkArgs, MultiTarget, RoutineWords } from 'attachcheck';
import {
  bpfTrampolineGet,
  bpfTrampolineLinkProg,
  bpfTrampolinePut,
  bpfTrampolineUnlinkProg,
  registerDesign,
  routine,
  takeTarget,
  targetsOf,
} from 'attachcheck';

interface Hasty extends LinkArgs, MultiTarget {}

type Words = RoutineWords<BpfWorld, Hasty>;

/** Attaches to one function after the other. Nothing is undone when one of them refuses: see `attempt` in the documents. */
const attach = routine<BpfWorld, LinkArgs, Hasty>('hasty_attach', ({ each, call }: Words) => [
  each('target', targetsOf, takeTarget, [
    call(bpfTrampolineGet, (_, { target }) => ({ target })),
    call(bpfTrampolineLinkProg, (_, { target, node }) => ({ target, node })),
  ]),
]);

const detach = routine<BpfWorld, LinkArgs, Hasty>('hasty_detach', ({ each, call }: Words) => [
  each('target', targetsOf, takeTarget, [
    call(bpfTrampolineUnlinkProg, (_, { target, node }) => ({ target, node })),
    call(bpfTrampolinePut, (_, { target }) => ({ target })),
  ]),
]);

registerDesign({
  name: 'hasty',
  sentence: 'Each function gets its own image, in order, and a refusal leaves the others attached.',
  source: 'none',
  kinds: ['fentry', 'fexit', 'fmod_ret'],
  attach,
  detach,
});

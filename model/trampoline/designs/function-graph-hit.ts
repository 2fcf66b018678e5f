import type { FunctionName } from '../../core/ids.ts';
import { entry, last, present } from '../../core/present.ts';
import { routine } from '../../core/routine.ts';
import type { RetStackFrame } from '../../ftrace/fgraph.ts';
import { fgraphReserveData } from '../../ftrace/fgraph.ts';
import type { AtSite } from '../../ftrace/run/regs.ts';
import { functionAt } from '../../ftrace/run/regs.ts';
import type { Cpu } from '../../text/cpu.ts';
import { addressOf } from '../../text/space.ts';
import { RDI, RDX, RSI, RSP } from '../../x86/register.ts';
import type { Word } from '../../x86/word.ts';
import { fromHex, plus, toHex, ZERO } from '../../x86/word.ts';
import { programInMemory } from '../in-memory.ts';
import type { BpfView, BpfWorld } from '../world.ts';
import type { GraphFunction } from './function-graph-data.ts';
import { graphFunctionOf, graphLinkOf } from './function-graph-data.ts';

/*
 * The callbacks of a link's fgraph_ops: they lay out the context of the program on the stack, and call the code
 * that was made for the function when the link was attached.
 *
 *   top + 32   ctx: argument words, return value
 *   top + 24   number of arguments
 *   top + 16   address of the function
 *   top + 0    struct bpf_tramp_run_ctx: cookie, the run context before
 */

const CTX = 32;
const FUNC_IP = 16;
/** Twelve words and the return value, rounded up. */
const FRAME_BYTES = CTX + 112;

interface EntryArgs extends AtSite {
  readonly idx: number;
  readonly user: string;
}

/** The entry of a call, with the data of its function. */
interface Entering extends EntryArgs {
  /** The facts that the link has of the function. */
  at: GraphFunction;
  fits: boolean;
}

/**
 * The entry callback. A program that runs at the return needs the arguments then: the callee may have written
 * over the caller's words by that time, and registers are gone. They are kept on the shadow stack, after a word
 * that says whose they are; without room for them the program misses the call.
 */
export const bpfGraphEntry = routine<BpfWorld, EntryArgs, Entering>(
  'bpf_graph_entry',
  ({ step, when, finish }) => [
    step('look the function up', (k, locals) => {
      const known = graphFunctionOf(k, locals.user, locals.hit.ip);
      if (known !== undefined) locals.at = known;
    }),
    finish('the link does not trace it', (_, locals) => !('at' in locals)),
    when(
      'the program runs at the return',
      (k, { user }) => kindOf(k, user) !== 'fentry',
      [
        step('reserve the words', (k, locals) => {
          locals.fits = fgraphReserveData(k, HEADER_WORDS + locals.at.words);
          if (!locals.fits) programInMemory(k, graphLinkOf(k, locals.user).prog, 'bpf_graph_entry').misses++;
        }),
        when('there is space', (_, { fits }) => fits, [
          step('call the code for the entry, and keep the arguments', (k, locals) => {
            last(k.fgraph.retStack).data[locals.idx] = {
              words: HEADER_WORDS + locals.at.words,
              value: enter(k, locals),
            };
          }),
        ]),
      ],
      [step('call the code for the entry', (k, locals) => void enter(k, locals))],
    ),
  ],
);

/** The word before the kept arguments: the link that owns them. */
const HEADER_WORDS = 1;

function kindOf(k: BpfView, user: string): string {
  return entry(k.bpf.progs, graphLinkOf(k, user).prog).program.kind;
}

/** Gives whose the words are, and the words as the code has found them. */
function enter(k: BpfView, { cpu, hit, user, at: graphFunction }: Entering): string[] {
  const { image, words } = graphFunction;
  const top = layOutContext(k, cpu, hit.ip, graphFunction);
  const ctx = plus(top, CTX);
  cpu.write(plus(ctx, 8 * words), ZERO);
  cpu.setRegister(RDI, hit.fregs);
  callImage(cpu, addressOf(k, image), top);
  return [user, ...Array.from({ length: words }, (_, i) => toHex(cpu.read(plus(ctx, 8 * i))))];
}

/** The arguments of the return callback. */
interface ReturnArgs {
  readonly cpu: Cpu;
  readonly idx: number;
  readonly user: string;
  readonly frame: RetStackFrame;
  readonly ret: string;
}

interface Returning extends ReturnArgs {
  /** The argument words that the entry callback has kept; none: it did not follow the call. */
  kept: readonly string[];
}

/** The return callback: the user with index 0 also gets returns that it did not ask for. */
export const bpfGraphReturn = routine<BpfWorld, ReturnArgs, Returning>(
  'bpf_graph_return',
  ({ step, when }) => [
    step('find what the entry has kept', (_, locals) => {
      const [owner, ...kept] = locals.frame.data[locals.idx]?.value ?? [];
      if (owner === locals.user) locals.kept = kept;
    }),
    when('it has followed the call', (_, locals) => 'kept' in locals, [
      step('call the code for the return', (k, locals) => {
        const fn = locals.frame.func;
        const known = present(graphFunctionOf(k, locals.user, fn), fn);
        const top = layOutContext(k, locals.cpu, fn, known);
        writeContext(locals, plus(top, CTX));
        callImage(
          locals.cpu,
          plus(addressOf(k, known.image), entry(graphLinkOf(k, locals.user).images, known.image).exit),
          top,
        );
      }),
    ]),
  ],
);

/** The arguments as they were at the entry, and after them the return value. */
function writeContext({ cpu, kept, ret }: Returning, ctx: Word): void {
  for (const [i, word] of [...kept, ret].entries()) cpu.write(plus(ctx, 8 * i), fromHex(word));
}

/** Room for the context below what the function in C has been called with; gives its lowest address. */
function layOutContext(k: BpfView, cpu: Cpu, fn: FunctionName, { cookie }: GraphFunction): Word {
  const { hi, lo } = plus(cpu.register(RSP), -FRAME_BYTES);
  const top = { hi, lo: lo & ~15 };
  cpu.write(top, fromHex(cookie));
  cpu.write(plus(top, FUNC_IP), addressOf(k, fn));
  return top;
}

/** Calls the code of a function with its context; it returns like any function in C. */
function callImage(cpu: Cpu, code: Word, top: Word): void {
  cpu.setRegister(RSI, plus(top, CTX));
  cpu.setRegister(RDX, top);
  cpu.callCode(code, top);
}

/** Whose call a program sees: it is called with its context, and that says the function. */
export function graphTracedBy(k: BpfView, cpu: Cpu, page: string): string | undefined {
  if (!page.includes('.graph-')) return undefined;
  return functionAt(k, cpu.read(plus(cpu.register(RDI), FUNC_IP - CTX)));
}

import type { FunctionName } from '../../../core/ids.ts';
import type { Routine } from '../../../core/part.ts';
import { entry } from '../../../core/present.ts';
import { hexText } from '../../../ftrace/entry/hex-text.ts';
import type { Cpu } from '../../../text/cpu.ts';
import { functionAddress, pageAddress } from '../../../text/space.ts';
import { allocatePage } from '../../../text/text.ts';
import { Assembler } from '../../../x86/assemble.ts';
import { RDI } from '../../../x86/register.ts';
import { equal, plus } from '../../../x86/word.ts';
import type { BpfView, BpfWorld } from '../../world.ts';
import type { Design } from '../design.ts';
import { allocated, disagreementOf } from './agreement.ts';
import { gtrampolineLinkProg, gtrampolineUnlinkProg } from './global.ts';
import type { GlobalAnswer, Lookup } from './global-caller.ts';
import { ARGS_MOST, callerName, cleanInt, dirtyInt, emitGlobalCaller } from './global-caller.ts';
import { GLOBAL_FUNCTIONS, GLOBAL_ROUTINES } from './global-functions.ts';
import { bootGlobalOps, UPDATE_COUNTS } from './global-update.ts';
import { helpersCalled } from './helpers-called.ts';
import type { GlobalData } from './kfunc-md.ts';
import { DEFAULT_ARRAY, dataOf, emptyArray, findMd, MIN_BITS } from './kfunc-md.ts';
import { ARRAY_BACKGROUND, ARRAY_COUNTS } from './kfunc-md-array.ts';
import { LINK_BACKGROUND, LINK_COUNTS } from './kfunc-md-link.ts';
import { addressOfData, memoryAt } from './kfunc-md-memory.ts';
import { hashLookup, paddingLookup } from './lookup.ts';
import { RESET_COUNTS } from './reset-direct-ips.ts';

/*
 * The series "tracing multi-link support" of July 2025 (v2) as a design, in three variants. One piece of code for
 * each count of arguments replaces the images: it finds the programs of a function at run time.
 *
 * ```text
 *   call site -> bpf_global_caller_N -> bpf_global_caller_N_run -> kfunc_md of the function -> its lists of programs
 * ```
 *
 * Attaching generates no image and copies no code; a hit pays for the lookup.
 */

/** The default array is static, with the smallest number of lists. */
function start(isPadded: boolean): GlobalData {
  return {
    paddings: isPadded ? {} : null,
    mds: {},
    nodes: {},
    arrays: { [DEFAULT_ARRAY]: emptyArray(MIN_BITS) },
    current: DEFAULT_ARRAY,
    generations: 0,
  };
}

/**
 * bpf_global_caller_N is part of the kernel's text: written at boot, never freed, so that no grace period
 * covers it. The symbols that it calls are stubs in text, and `kfunc_mds` an address in data.
 */
function writeCallers(k: BpfWorld, lookup: Lookup, answer: GlobalAnswer): void {
  for (let nrArgs = 0; nrArgs <= ARGS_MOST; nrArgs++) {
    const name = callerName(nrArgs);
    allocatePage(k, name, '');
    const { at: index } = entry(k.text.pages, name);
    const a = new Assembler(pageAddress(index), (symbol) => addressOfData(k, symbol));
    emitGlobalCaller(a, nrArgs, { lookup, answer, around: helpersCalled });
    k.text.pages[name] = { at: index, bytes: hexText(a.finish().bytes), isPermanent: true };
  }
}

/** A function with programs calls the code for its count of arguments. */
function imageOf(k: BpfView, target: FunctionName): string {
  const md = dataOf(k).mds[findMd(k, target)];
  return md === undefined || md.progCount === 0 ? '' : callerName(md.nrArgs);
}

/**
 * The code has stored the function's address before the arguments, for bpf_get_func_ip(): at args[-2], with ctx
 * in rdi. `page` is not enough, because all functions with this count of arguments run it.
 */
function tracedBy(k: BpfView, cpu: Cpu, page: string): string | undefined {
  if (!page.startsWith('bpf_global_caller_')) return undefined;
  const ip = cpu.read(plus(cpu.register(RDI), -16));
  const { functions } = k.text;
  return Object.keys(functions).find((name) => equal(functionAddress(entry(functions, name)), ip));
}

/** The variants differ in the lookup and in the return value of the C part. */
function globalDesign(name: string, sentence: string, lookup: Lookup, answer: GlobalAnswer): Design {
  return {
    name,
    sentence,
    source:
      'bpf: tracing multi-link support, v2 of July 2025  kfunc_md_create, bpf_global_caller_run, bpf_gtrampoline_link_prog, reset_ftrace_direct_ips',
    kinds: ['fentry', 'fexit', 'fmod_ret'],
    modulesHeldBy: 'link',
    // One ops for all direct calls (7.2) has one filter, and the design needs one for each count of arguments.
    needs: ({ directApi }) => (directApi === 'ops' ? undefined : 'its ops have filters of their own'),
    start: () => start(lookup === paddingLookup),
    boot: (k) => {
      bootGlobalOps(k);
      writeCallers(k, lookup, answer);
    },
    attach: gtrampolineLinkProg,
    detach: gtrampolineUnlinkProg,
    background: [...ARRAY_BACKGROUND, ...LINK_BACKGROUND] as unknown as readonly Routine[],
    cFunctions: GLOBAL_FUNCTIONS,
    routines: GLOBAL_ROUTINES as unknown as readonly Routine[],
    // btf_check_func_part_match(): other functions may differ in the arguments that the program does not read.
    firstTarget: true,
    memory: memoryAt,
    tracedBy,
    imageOf,
    // Metadata replaces trampolines: a link holds users of it (`agreement.ts`), and no `struct bpf_trampoline`.
    held: () => [],
    disagreement: disagreementOf,
    allocated,
    counts: [...ARRAY_COUNTS, ...LINK_COUNTS, ...UPDATE_COUNTS, ...RESET_COUNTS],
  };
}

/**
 * The global trampoline. The series postpones two optimisations: metadata found through the padding before a
 * function, in five instructions, as in its first version (a variant here); and separate callers for functions
 * whose programs do not sleep, or need no original (not modelled: a function would have to move between ops, and
 * the series does not say how).
 */
export const GLOBAL: readonly Design[] = [
  globalDesign(
    'global',
    'One piece of code for each count of arguments finds the programs of the function that called it in a hash.',
    hashLookup,
    cleanInt,
  ),
  globalDesign(
    'global int in rax',
    'The same, compiled so that its C part leaves in the upper half of its answer what the ABI allows: anything.',
    hashLookup,
    dirtyInt,
  ),
  globalDesign(
    'global padding',
    'The same, and the programs are found by an index in the padding before the function: its array has room for all.',
    paddingLookup,
    cleanInt,
  ),
];

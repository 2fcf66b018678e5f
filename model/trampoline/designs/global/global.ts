import type { Errno } from '../../../core/errno.ts';
import type { FunctionName } from '../../../core/ids.ts';
import type { Part } from '../../../core/part.ts';
import { entry } from '../../../core/present.ts';
import type { RoutineWords } from '../../../core/routine.ts';
import { routine } from '../../../core/routine.ts';
import { warn } from '../../../core/world.ts';
import { moduleOf, modulePut, tryModuleGet } from '../../../text/module.ts';
import { targetFor } from '../../target.ts';
import { knownFunction } from '../../traced-function.ts';
import type { BpfView, BpfWorld } from '../../world.ts';
import type { LinkArgs } from '../design.ts';
import type { MultiTarget } from '../targets.ts';
import { refuseMultiTarget, TARGET_ERRNOS, takeTarget, targetsOf } from '../targets.ts';
import { ARGS_MOST } from './global-caller.ts';
import { gtrampolineUpdateAll } from './global-update.ts';
import { dataOf, findMd } from './kfunc-md.ts';
import { kfuncMdCreate, kfuncMdPut } from './kfunc-md-array.ts';
import { kfuncMdBpfLink, kfuncMdBpfUnlink } from './kfunc-md-link.ts';
import { refuseAccessed } from './part-match.ts';

/*
 * Attaching and detaching: bpf_tracing_prog_attach_multi() in kernel/bpf/syscall.c, bpf_gtrampoline_link_prog()
 * and bpf_gtrampoline_unlink_prog() in kernel/bpf/trampoline.c of the series, with `global_tr_lock` held.
 *
 * ```text
 *   link     metadata with the program for each function -> filters, if a function is new
 *   unlink   program out of each function's metadata     -> filters -> metadata put
 * ```
 *
 * A program runs as soon as its node is in the metadata of a function that is traced already: there is no point
 * at which a link becomes visible on all functions together.
 */

/** `linked` is the number of targets that metadata has to be put for; targets after it had no user taken. */
interface UnlinkArgs extends LinkArgs {
  /** Targets that the program was put on. */
  linked: number;
}

/** An attach between its steps. */
interface LinkAt extends UnlinkArgs, MultiTarget {
  /** A function is in no filter yet. */
  update: boolean;
  /** A function of each module that is held; undefined: none is. And whether the last one was. */
  held?: readonly FunctionName[];
  isHeld?: boolean;
  errno: Errno | 0;
}

/** arch_bpf_get_regs_nr(): of the arguments only structs count with all of their words. */
export function regsOf(k: BpfView, target: FunctionName): number {
  const { args } = knownFunction(k.functions, target).signature;
  return args.reduce((sum, { struct, size }) => sum + (struct ? Math.ceil(size / 8) : 1), 0);
}

/**
 * bpf_tracing_prog_attach_multi() and bpf_gtrampoline_link_prog(). A failure unlinks the targets so far, and puts the
 * modules that are held.
 */
export const gtrampolineLinkProg = routine<BpfWorld, LinkArgs, LinkAt>(
  'bpf_gtrampoline_link_prog',
  (words) => {
    const { each, step, holding, attempt, call, when } = words;
    return [
      attempt(
        [
          each('target', targetsOf, takeTarget, checkTarget(words)),
          // All checks have passed: nothing has been changed so far.
          step('start', (_, locals) => {
            locals.linked = 0;
            locals.update = false;
          }),
          holding('global_tr_lock', [
            attempt(
              [
                each('target', targetsOf, takeTarget, linkTarget(words)),
                when('a function is in no filter yet', (_, { update }) => update, updateFilters(words)),
              ],
              [
                call(
                  gtrampolineUnlink,
                  (_, { link, linked }) => ({ link, linked }),
                  () => {},
                ),
              ],
            ),
          ]),
        ],
        [
          when('modules are held', (_, { held }) => held !== undefined, [
            step('put the modules', (k, { held = [] }) => modulePut(k, held)),
          ]),
        ],
      ),
    ];
  },
);

/** The checks of a target. The first function of a module holds it for all others of the link: bpf_try_add_ptr(). */
function checkTarget({ refuse, refuseWith, step, when }: RoutineWords<BpfWorld, LinkAt>): Part[] {
  return [
    refuse(
      'EOPNOTSUPP',
      'the target is a BPF program',
      (k, { target }) => targetFor(k, target)?.bpf === true,
    ),
    refuseWith(TARGET_ERRNOS, 'the program cannot attach to the function', (k, locals) =>
      refuseMultiTarget(k, locals, locals.target, 'link'),
    ),
    when('it is in a module that is not held yet', isModuleNew, [
      step('btf_try_get_module', (k, locals) => {
        locals.isHeld = tryModuleGet(k, [locals.target]);
        if (locals.isHeld) locals.held = [...(locals.held ?? []), locals.target];
      }),
      refuse('ENOENT', 'its module is going', (_, { isHeld }) => isHeld === false),
    ]),
    refuse(
      'EOPNOTSUPP',
      'there is no code for this number of arguments',
      (k, locals) => regsOf(k, locals.target) > ARGS_MOST,
    ),
    refuseWith(['EINVAL'], 'the function does not have what the program reads', (k, locals) =>
      refuseAccessed(k, locals, locals.target),
    ),
  ];
}

/** No function of the same module has been taken. */
function isModuleNew(k: BpfView, { target, held = [] }: LinkAt): boolean {
  const module = moduleOf(k, target);
  return module !== undefined && !held.some((fn) => module.functions.includes(fn));
}

/** kfunc_md_create() takes a user, kfunc_md_bpf_link() adds the program. */
function linkTarget({ call, step, attempt }: RoutineWords<BpfWorld, LinkAt>): Part[] {
  return [
    call(kfuncMdCreate, (k, { target }) => ({ func: target, nrArgs: regsOf(k, target) })),
    step('check whether it has programs', (k, locals) => {
      // Traced functions need no change of ftrace: the next call of theirs finds the program.
      if (entry(dataOf(k).mds, findMd(k, locals.target)).progCount === 0) locals.update = true;
    }),
    attempt(
      [
        call(kfuncMdBpfLink, (_, { target, node }) => ({
          func: target,
          prog: node.prog,
          cookie: node.cookie,
        })),
      ],
      [call(kfuncMdPut, (_, { target }) => ({ func: target }))],
    ),
    // The number of users that a rollback has to put.
    step('one more is linked', (_, locals) => {
      locals.linked++;
    }),
  ];
}

/**
 * For a function with a direct call the cover letter says EEXIST; ftrace_direct_update() gives EBUSY. The
 * answer here is that of the cover letter, which a tool would have been written against.
 */
function updateFilters({ call, refuseWith }: RoutineWords<BpfWorld, LinkAt>): Part[] {
  return [
    call(
      gtrampolineUpdateAll,
      () => ({}),
      (_, locals, errno) => {
        locals.errno = errno === 'EBUSY' ? 'EEXIST' : errno;
      },
    ),
    refuseWith(
      ['EEXIST', 'ENOMEM', 'ENODEV', 'EINVAL', 'ENOENT', 'EAGAIN'],
      'ftrace refuses',
      (_, { errno }) => (errno === 0 ? undefined : errno),
    ),
  ];
}

/**
 * __bpf_gtrampoline_unlink_prog(): the program is removed from all functions of the link, and metadata is put
 * for those that were linked. The first function without the program ends it, with all that would come after: a
 * rollback at the third of five functions can stop there, and skip the filters and the puts.
 */
const gtrampolineUnlink = routine<BpfWorld, UnlinkArgs, UnlinkArgs & MultiTarget>(
  '__bpf_gtrampoline_unlink_prog',
  (words) => {
    const { each, when, step, call } = words;
    return [
      each('entry', targetsOf, takeTarget, [
        when(
          'it has no metadata',
          (k, { target }) => findMd(k, target) === 0,
          [
            step('WARN_ON_ONCE(!md)', (k, { target }) => {
              warn(k, { is: 'no metadata', target: target });
            }),
          ],
          [call(kfuncMdBpfUnlink, (_, { target, node }) => ({ func: target, prog: node.prog }))],
        ),
      ]),
      call(
        gtrampolineUpdateAll,
        () => ({}),
        () => {},
      ),
      each('entry that was linked', (k, locals) => targetsOf(k, locals).slice(0, locals.linked), takeTarget, [
        call(kfuncMdPut, (_, { target }) => ({ func: target })),
      ]),
    ];
  },
);

/**
 * bpf_tracing_multi_link_release() and bpf_gtrampoline_unlink_prog(), whose result no caller checks. The link is freed afterwards, and its reference
 * on the program with it, while metadata may have the program still.
 */
export const gtrampolineUnlinkProg = routine<BpfWorld, LinkArgs>(
  'bpf_gtrampoline_unlink_prog',
  ({ holding, call, when, step }) => [
    holding('global_tr_lock', [
      call(
        gtrampolineUnlink,
        (k, { link }) => ({ link, linked: entry(k.bpf.links, link).targets.length }),
        () => {},
      ),
    ]),
    when('it holds modules', holdsModules, [
      step('put the modules', (k, { link }) => modulePut(k, entry(k.bpf.links, link).targets)),
    ]),
  ],
);

function holdsModules(k: BpfView, { link }: LinkArgs): boolean {
  return entry(k.bpf.links, link).targets.some((target) => moduleOf(k, target) !== undefined);
}

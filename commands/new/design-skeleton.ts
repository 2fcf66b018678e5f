/** Where the imports of a skeleton come from: one package outside of the tree, modules of the model within it. */
export type Importing = 'package' | 'model';

/** The names of a design: `two at once`, `two-at-once.ts`, `twoAtOnce`, `two_at_once`. */
export interface DesignNames {
  readonly name: string;
  readonly file: string;
  readonly variable: string;
  readonly routine: string;
}

export function namesOf(name: string): DesignNames {
  const words = name.split(/[ -]/);
  const variable = words.map((word, i) => (i === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join('');
  return { name, file: words.join('-'), variable, routine: words.join('_') };
}

/** The imports of the skeleton, by the module of the model that has it, relative to the directory of designs. */
const FROM: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['../../core/part.ts', ['Part'], []],
  ['../../core/routine.ts', ['RoutineWords'], ['routine']],
  ['../../core/world.ts', [], ['warn']],
  ['../link.ts', [], ['bpfTrampolineLinkProg', 'bpfTrampolineUnlinkProg']],
  ['../trampoline.ts', [], ['bpfTrampolineGet', 'bpfTrampolinePut']],
  ['../world.ts', ['BpfView', 'BpfWorld'], []],
  ['./design.ts', ['Design', 'LinkArgs'], []],
  ['./targets.ts', ['MultiTarget'], ['refuseMultiTarget', 'TARGET_ERRNOS', 'takeTarget', 'targetsOf']],
];

function imports(from: Importing): string {
  if (from === 'model')
    return FROM.map(([path, types, values]) => `${typeImport(types, path)}${valueImport(values, path)}`).join(
      '',
    );
  const types = FROM.flatMap(([, own]) => own);
  const values = FROM.flatMap(([, , own]) => own);
  return `${typeImport(types, 'attachcheck')}${valueImport([...values, 'registerDesign'], 'attachcheck')}`;
}

function typeImport(names: readonly string[], path: string): string {
  return names.length === 0 ? '' : `import type { ${names.join(', ')} } from '${path}';\n`;
}

function valueImport(names: readonly string[], path: string): string {
  if (names.length === 0) return '';
  const inLine = `import { ${names.join(', ')} } from '${path}';\n`;
  return inLine.length <= LINE
    ? inLine
    : `import {\n${names.map((name) => `  ${name},\n`).join('')}} from '${path}';\n`;
}

/** Characters of a line, as the formatter has it. */
const LINE = 110;

/**
 * A working design: all functions are checked, then attached to one after the other, which is rolled back when one is
 * refused; whole on purpose.
 */
export function designModule({ name, variable, routine }: DesignNames, from: Importing): string {
  return `${imports(from)}
/** The locals of the routines. */
interface Locals extends LinkArgs, MultiTarget {
  /** Targets whose trampoline is held, and those that the program is attached to; the latest first. */
  held: MultiTarget[];
  linked: MultiTarget[];
}

/** All of the link's functions or none: a refusal rolls everything back. */
const attach = routine<BpfWorld, LinkArgs, Locals>('${routine}_attach', (words) => {
  const { allocate, step, each, call, attempt, refuseWith } = words;
  const note = (list: 'held' | 'linked') =>
    step(\`note it: \${list}\`, (_, locals) => {
      locals[list].unshift({ target: locals.target, node: locals.node });
    });
  return [
    each('target', targetsOf, takeTarget, [
      refuseWith(TARGET_ERRNOS, 'the program cannot attach to the function', (k, locals) =>
        refuseMultiTarget(k, locals, locals.target),
      ),
    ]),
    allocate('the lists'),
    step('nothing is held', (_, locals) => {
      Object.assign(locals, { held: [], linked: [] });
    }),
    attempt(
      [
        each('target', targetsOf, takeTarget, [
          call(bpfTrampolineGet, (_, { target }) => ({ target })),
          note('held'),
          call(bpfTrampolineLinkProg, (_, { target, node }) => ({ target, node })),
          note('linked'),
        ]),
      ],
      leave(
        words,
        (_, { linked }) => linked,
        (_, { held }) => held,
      ),
    ),
  ];
});

const detach = routine<BpfWorld, LinkArgs, Locals>('${routine}_detach', (words) =>
  leave(words, targetsOf, targetsOf),
);

type Targets = (k: BpfView, locals: Locals) => readonly MultiTarget[];

function leave({ each, call }: RoutineWords<BpfWorld, Locals>, linked: Targets, held: Targets): Part[] {
  const give = (_: BpfView, { target, node }: Locals) => ({ target, node });
  const unlink = call(bpfTrampolineUnlinkProg, give, (k, _, errno) => {
    if (errno !== 0) warn(k, { is: 'program not taken off', errno, by: '${routine}_detach' });
  });
  const put = call(bpfTrampolinePut, (_, { target }) => ({ target }));
  return [each('target', linked, takeTarget, [unlink]), each('target', held, takeTarget, [put])];
}

${from === 'model' ? 'export ' : ''}const ${variable}: Design = {
  name: '${name}',
  sentence: 'All functions are checked first; then each gets its own image, one after the other.',
  source: 'none',
  kinds: ['fentry', 'fexit', 'fmod_ret'],
  attach,
  detach,
  // Where single links break a law, so does the design. Drop this when it attaches in another way.
  like: 'one by one',
};
${from === 'model' ? '' : `\nregisterDesign(${variable});\n`}`;
}

/** Its test: its purpose, and the state after a refusal. */
export function designTest({ name, file }: DesignNames, from: Importing): string {
  const library = from === 'model' ? '../../../library.ts' : 'attachcheck';
  const vitest = "import { expect, test } from 'vitest';\n";
  const own = `import { act, boot, call, judge, parseSequence } from '${library}';\n`;
  return `${from === 'model' ? vitest + own : `${own}${vitest}import './${file}.ts';\n`}
const KERNEL = '6.12, multiLinks = ${name}';
const FUNCTIONS = ['f1 = function(u64 -> u64)', 'f13 = function(u64 x13 -> u64)'];

test('a link attaches to all of its functions, and detaches', () => {
  const sequence = parseSequence(\`kernel \${KERNEL}

f1 = function(u64 -> u64)
f2 = function(u64 x2 -> u64)
prog#1 = BPF_PROG_LOAD(fexit multi)
link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 })
task#1 calls f1(0x1)
task#1 calls f2(0x1, 0x2)
close(link#1)
task#1 calls f1(0x1)
\`);
  const { answers, broken } = judge(sequence);
  expect(answers).toEqual(['0', '0', '', '', '0', '']);
  expect(broken).toEqual([]);
});

test('a link that one function refuses attaches to none', () => {
  const loaded = act(boot(KERNEL, FUNCTIONS), 'prog#1 = BPF_PROG_LOAD(fentry multi)').kernel;
  const { kernel, outcome } = act(loaded, 'link#1 = BPF_LINK_CREATE(prog#1, { f1, f13 })');
  expect(outcome.errno).not.toBe(0);
  expect(call(kernel, 'f1(0x1)').events.map(({ who }) => who)).toEqual(['f1']);
});
`;
}

import { spawnSync } from 'node:child_process';
import type { ArchName } from '../../model/abi/arch.ts';
import { item } from '../../model/core/present.ts';

/** A C compiler that is installed here. */
export interface Compiler {
  /** The first line of its version output. */
  readonly version: string;
  /** The assembly text of a source file; throws if it does not compile. */
  readonly compile: (source: string) => string;
}

/** Why there is no compiler, in words that follow "no C compiler". */
export class NoCompiler extends Error {
  override name = 'NoCompiler';
}

interface Command {
  readonly program: string;
  readonly flags: readonly string[];
  /** Debian's package. */
  readonly from: string;
}

/** The kernel's compiler options for each architecture, as far as argument passing is concerned. */
const COMMANDS: Readonly<Record<ArchName, Command>> = {
  'x86-64': { program: 'gcc', flags: ['-m64', '-mno-red-zone', '-fcf-protection=none'], from: 'gcc' },
  arm64: { program: 'aarch64-linux-gnu-gcc', flags: [], from: 'gcc-aarch64-linux-gnu' },
  'x86-32': {
    program: 'gcc',
    flags: ['-m32', '-mregparm=3', '-freg-struct-return', '-fcf-protection=none'],
    from: 'gcc',
  },
};

/** Short code without prologue or instrumentation: arguments come from where the caller puts them. */
const FLAGS = (
  '-O2 -ffreestanding -fno-pic -fomit-frame-pointer -fno-stack-protector -fno-asynchronous-unwind-tables ' +
  '-mgeneral-regs-only -w -S -x c -o - -'
).split(' ');

/** The largest assembly text of a source file. */
const OUTPUT_BYTES = 1 << 28;

/**
 * The compiler for an architecture; throws `NoCompiler` if it is not installed or does not support the architecture.
 */
export function openCompiler(arch: ArchName, program: string = COMMANDS[arch].program): Compiler {
  const { flags, from } = COMMANDS[arch];
  const run = (args: readonly string[], input: string) =>
    spawnSync(program, args, { input, encoding: 'utf8', maxBuffer: OUTPUT_BYTES });
  const compile = (source: string): string => {
    const { status, stdout, stderr } = run([...flags, ...FLAGS], source);
    if (status !== 0) throw new Error(`${program} refuses the source: ${firstLine(stderr)}`);
    return stdout;
  };
  const { status, stdout, error } = run(['--version'], '');
  if (error !== undefined || status !== 0)
    throw new NoCompiler(`${program} does not start (apt-get install ${from})`);
  try {
    compile('int f(void) { return 1; }\n');
  } catch (error) {
    throw new NoCompiler((error as Error).message);
  }
  return { version: firstLine(stdout), compile };
}

function firstLine(text: string): string {
  return item(text.split('\n'), 0).trim();
}

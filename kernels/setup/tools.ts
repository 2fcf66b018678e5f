import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { InputError } from '../../model/core/input-error.ts';

/** A program of the machine, and the package that has it. */
export interface Tool {
  readonly program: string;
  readonly package: string;
}

/** What a boot needs. */
export const EMULATOR: readonly Tool[] = [
  { program: 'qemu-system-x86_64', package: 'qemu-system-x86' },
  { program: 'mkfifo', package: 'coreutils' },
  { program: 'setpriv', package: 'util-linux' },
];

/** What the setup needs besides. */
export const FETCHING: readonly Tool[] = [
  { program: 'apt-get', package: 'apt' },
  { program: 'dpkg-deb', package: 'dpkg' },
  { program: 'unshare', package: 'util-linux' },
  { program: 'xz', package: 'xz-utils' },
];

export function missingTools(tools: readonly Tool[], path = process.env['PATH'] ?? ''): Tool[] {
  const folders = [...path.split(delimiter), '/usr/sbin', '/sbin'];
  return tools.filter(({ program }) => !folders.some((folder) => existsSync(join(folder, program))));
}

/** Throws when a program is missing, with what to install. */
export function requireTools(tools: readonly Tool[]): void {
  const missing = missingTools(tools);
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map((tool) => tool.package))].join(' ');
  const programs = missing.map(({ program }) => program).join(', ');
  throw new InputError(`${programs} is missing; on Debian: apt-get install ${packages}`);
}

/** Runs a program; an InputError says what went wrong. */
export function runTool(program: string, args: readonly string[], cwd?: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: OUTPUT_MOST,
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (error !== undefined) throw new InputError(`${program} cannot be run: ${error.message}`);
  if (status === 0) return stdout;
  throw new InputError(
    `${program} ${args.slice(0, 3).join(' ')} … failed:\n${tellingLines(`${stdout}\n${stderr}`)}`,
  );
}

/** What a compiler complains about, or else what was printed last. */
export function tellingLines(output: string): string {
  const lines = output.trim().split('\n');
  const errors = lines.filter((line) => /\berror: /.test(line));
  return (errors.length > 0 ? errors.slice(0, LINES_MOST) : lines.slice(-LINES_MOST)).join('\n');
}

const LINES_MOST = 4;

const OUTPUT_MOST = 1 << 28;

/** What a program makes of bytes, even where it complains about those that follow. */
export function filtered(program: string, args: readonly string[], input: Uint8Array): Uint8Array {
  return spawnSync(program, args, { input, maxBuffer: OUTPUT_MOST }).stdout;
}

/** Bytes below a folder. */
export function bytesBelow(folder: string): number {
  return Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t')[0]);
}

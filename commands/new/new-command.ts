import type { Command } from 'commander';
import { InputError } from '../../model/core/input-error.ts';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { lacksTypeScript } from '../line/own-modules.ts';
import { TOP } from '../line/project.ts';

export function declareNew({ subcommand, finish }: CommandLine): void {
  subcommand('new <what> <name>', 'create your own design: a working module, with its test').action(
    (what: string, name: string, _line: unknown, command: Command) => {
      if (what !== 'design') throw new InputError(`cannot create a ${what}; use: new design NAME`);
      return finish(command, answer(name));
    },
  );
}

async function answer(name: string): Promise<CommandWork> {
  const { newDesign } = await import('./new-design.ts');
  const isInTree = process.cwd() === TOP && import.meta.filename.endsWith('.ts');
  const place = isInTree ? { tree: TOP } : { folder: process.cwd(), lacks: lacksTypeScript() };
  return newDesign(name, place);
}

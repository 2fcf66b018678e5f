import type { Command } from 'commander';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { bashScript } from './bash-script.ts';
import type { CompletedCommand } from './completed.ts';
import { completedCommands } from './completed.ts';
import { completedNames } from './completed-names.ts';
import { fishScript } from './fish-script.ts';
import type { Shell } from './shells.ts';
import { zshScript } from './zsh-script.ts';

const SCRIPTS: Readonly<Record<Shell, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/**
 * The command `completion`: a script generated from the declared command line and the names that are listed
 * now.
 */
export async function completion(cli: Command, shell: Shell): Promise<Answer> {
  const script = SCRIPTS[shell](completedCommands(cli, await completedNames()));
  return {
    text: script,
    json: { command: 'completion', exit: EXIT.HELD, shell, script },
    exit: EXIT.HELD,
    save: [],
  };
}

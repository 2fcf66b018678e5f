import type { ShellDialect } from './case-lines.ts';
import { offered, quoted } from './case-lines.ts';
import type { CompletedCommand, CompletedOption } from './completed.ts';

const ZSH: ShellDialect = {
  names: (names) => `_sequence compadd - ${quoted(names)}`,
  files: '_files',
  options: (options) => `described=(${quoted(options.flatMap(described))}); _describe -o option described`,
};

function described({ flags, sentence }: CompletedOption): string[] {
  return flags.map((flag) => `${flag}:${sentence}`);
}

/** For zsh with its completion system, which shows a sentence beside each option. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  const [, ...subs] = commands;
  return `#compdef attachcheck
# Completes attachcheck in zsh; in ~/.zshrc, after compinit: source <(attachcheck completion zsh)

_attachcheck() {
  local cur=$words[CURRENT] before=$words[CURRENT-1] command=attachcheck option= word
  local -a described
  for word in \${words[2,CURRENT-1]}; do
    case $word in
      ${subs.map(({ name }) => name).join(' | ')})
        command=$word
        break
        ;;
    esac
  done
  if [[ $cur == --*=* ]]; then
    option=\${cur%%=*}
    compset -P '*='
    cur=\${cur#*=}
  elif [[ $before == -* ]]; then
    option=$before
  fi
${offered(commands, ZSH)}}

compdef _attachcheck attachcheck`;
}

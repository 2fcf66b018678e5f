import type { ShellDialect } from './case-lines.ts';
import { offered, quoted } from './case-lines.ts';
import type { CompletedCommand } from './completed.ts';

const BASH: ShellDialect = {
  names: (names) => `_attachcheck_names "$cur" ${quoted(names)}`,
  files: '_attachcheck_files "$cur"',
  options: (options) => `_attachcheck_names "$cur" ${quoted(options.flatMap(({ flags }) => flags))}`,
};

/** Names after the last comma; names of files. */
const OFFERS = `_attachcheck_names() {
  local cur=\${1//\\\\/} front= name
  shift
  if [[ $cur == *,* ]]; then
    front=\${cur%,*},
    cur=\${cur##*,}
  fi
  for name; do
    if [[ $name == "$cur"* ]]; then
      name=$front$name
      [[ $name == *' '* ]] && printf -v name %q "$name"
      COMPREPLY+=("$name")
    fi
  done
}

_attachcheck_files() {
  local file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$1")
}

`;

/** A word ends at `=`, which is a word of its own. */
const OPTION_IN_FRONT = `  if [[ $cur == = ]]; then
    option=$before cur=
  elif [[ $before == = ]]; then
    option=\${COMP_WORDS[COMP_CWORD - 2]}
  elif [[ $before == -* ]]; then
    option=$before
  fi
`;

/** For bash 4 and later. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const [, ...subs] = commands;
  return `# Completes attachcheck in bash; in ~/.bashrc: source <(attachcheck completion bash)

${OFFERS}_attachcheck() {
  local cur=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command=attachcheck option= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${subs.map(({ name }) => name).join(' | ')})
        command=\${COMP_WORDS[i]}
        break
        ;;
    esac
  done
${OPTION_IN_FRONT}${offered(commands, BASH)}}

complete -F _attachcheck attachcheck`;
}

/** When output has colours, as `--color` says it. */
export const COLOUR_TIMES = ['auto', 'always', 'never'] as const;

/** Whether the environment and stdout ask for colours: `FORCE_COLOR` over `NO_COLOR` over what the terminal can show. */
export function colouredIn(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  const { NO_COLOR, FORCE_COLOR, CI, TERM } = env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return !NO_COLOR && !CI && TERM !== 'dumb' && isTerminal;
}

/** The same with the last `--color` of a command line, which is above the environment; `auto` leaves it to that. */
export function colouredBy(argv: readonly string[], inEnvironment: boolean): boolean {
  const times = argv.flatMap((word, i) => {
    if (word.startsWith('--color=')) return [word.slice('--color='.length)];
    return argv[i - 1] === '--color' ? [word] : [];
  });
  const last = times.at(-1);
  return last === 'always' || (last !== 'never' && inEnvironment);
}

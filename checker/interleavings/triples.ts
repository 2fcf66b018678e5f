import type { Action } from '../../model/action.ts';
import type { Named } from './family.ts';

/** What a client does next, in a word, and the action. */
interface Next {
  readonly word: string;
  readonly action: Action;
}

/**
 * A scenario of two operations, in which the first client goes on with a third: it takes back what it has done, or gives
 * the memory back.
 */
export function withThird({ name, scenario }: Named): Named {
  const [[first], ...others] = scenario.clients as readonly (readonly Action[])[] as [
    Action[],
    ...Action[][],
  ];
  const { word, action } = nextAfter(first!);
  const [named, ...rest] = name.split(', ');
  return {
    name: [`${named}${THIRD}${word}`, ...rest].join(', '),
    scenario: { ...scenario, clients: [[first!, action], ...others] },
  };
}

/** What stands in a name between the first client's operation and its next one. */
export const THIRD = ' then ';

function nextAfter(action: Action): Next {
  switch (action.do) {
    case 'BPF_RAW_TRACEPOINT_OPEN':
    case 'BPF_LINK_CREATE':
      return { word: 'detach', action: { do: 'close(link)', link: action.link } };
    case 'close(link)':
      return { word: 'unload', action: { do: 'close(prog)', prog: Number(action.link.split('#')[1]) } };
    case 'register_ftrace_direct':
    case 'modify_ftrace_direct': {
      const { ops, addr } = action;
      return { word: 'unregister', action: { do: 'unregister_ftrace_direct', ops, addr, freeFilters: true } };
    }
    case 'register_ftrace_function':
      return { word: 'off', action: { do: 'unregister_ftrace_function', ops: action.ops } };
    case 'unregister_ftrace_direct':
    case 'unregister_ftrace_function':
      return { word: 'free', action: { do: 'kfree', object: action.ops } };
    default:
      throw new Error(`nothing comes after ${action.do}`);
  }
}

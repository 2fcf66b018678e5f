import { InputError } from './input-error.ts';

/** Takes back what was registered; a second call does nothing. */
export type Unregister = () => void;

interface Named {
  readonly name: string;
}

/**
 * How things are added to a list from outside the tree: designs, laws. Throws an InputError when the name is
 * taken; what was added comes after all others, so that whatever is drawn or checked without it stays as it is.
 */
export function registering<T extends Named>(list: T[], what: string): (item: T) => Unregister {
  return (item) => {
    if (list.some(({ name }) => name === item.name))
      throw new InputError(`there is a ${what} ${item.name} already`);
    list.push(item);
    return once(() => {
      list.splice(list.indexOf(item), 1);
    });
  };
}

/** Registers in several lists: in all of them, or, when one throws, in none. */
export function registerAll(registrations: readonly (() => Unregister)[]): Unregister {
  const done: Unregister[] = [];
  const back = () => {
    for (const unregister of done) unregister();
  };
  try {
    for (const register of registrations) done.push(register());
  } catch (error) {
    back();
    throw error;
  }
  return back;
}

/** Takes back once: at a second call the name may be another's. */
export function once(unregister: Unregister): Unregister {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    unregister();
  };
}

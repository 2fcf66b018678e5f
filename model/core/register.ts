import { InputError } from './input-error.ts';

/** Takes back what was registered. */
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
    return () => {
      list.splice(list.indexOf(item), 1);
    };
  };
}

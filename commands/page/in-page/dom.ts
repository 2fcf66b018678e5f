/** A child of an element; undefined: none. */
export type Child = Node | string | undefined;

/** Attributes by their names; undefined: it has none of that name. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** A new element. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** A button that does something. */
export function button(attributes: Attributes, text: string, onClick: () => void): HTMLButtonElement {
  const element = h('button', { type: 'button', ...attributes }, text);
  element.addEventListener('click', onClick);
  return element;
}

/** The element of the page with an id; every page has those that are asked for. */
export function part(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

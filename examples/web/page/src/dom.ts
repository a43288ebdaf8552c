/** Elements with attributes, listeners and content. */

type Content = Node | string | null | undefined;

interface Properties {
  class?: string;
  on?: Record<string, (event: Event) => void>;
  [attribute: string]: unknown;
}

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...content: Content[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'on') {
      for (const [type, listener] of Object.entries(properties.on ?? {})) node.addEventListener(type, listener);
    } else if (value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? '' : String(value));
    }
  }
  node.append(...content.filter((item) => item !== null && item !== undefined));
  return node;
}

export function button(label: string, click: () => void, properties: Properties = {}): HTMLButtonElement {
  return element('button', { type: 'button', ...properties, on: { click } }, label);
}

/** A table with a header row. */
export function table(caption: string, head: string[], rows: Content[][]): HTMLTableElement {
  return element('table', {},
    element('caption', {}, caption),
    element('thead', {}, element('tr', {}, ...head.map((title) => element('th', { scope: 'col' }, title)))),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map((cell) => element('td', {}, cell))))),
  );
}

const ROLES = { thead: 'rowgroup', tbody: 'rowgroup', tr: 'row', th: 'columnheader', td: 'cell' };

/**
 * A table whose rows become cards on narrow screens: the cells one below the other, each with the name of its column.
 * The roles of table elements are set explicitly, since some browsers drop them if CSS gives another layout.
 */
export function tableOfCards(caption: string, head: string[], rows: Content[][]): HTMLTableElement {
  const made = table(caption, head, rows);
  made.classList.add('cards');
  made.setAttribute('role', 'table');
  for (const [tag, role] of Object.entries(ROLES)) {
    for (const node of made.querySelectorAll(tag)) node.setAttribute('role', role);
  }
  for (const cell of made.querySelectorAll('td')) cell.dataset.column = head[cell.cellIndex];
  return made;
}

export function byId<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

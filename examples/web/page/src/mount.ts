/** Components within elements that are made without Preact. */

import { type ComponentChild, render } from 'preact';

/** An element that shows a component. The component is removed at the first change of the theme after the element was. */
export function mounted(component: ComponentChild): HTMLElement {
  const root = document.createElement('div');
  render(component, root);
  const changed = () => {
    if (root.isConnected) return;
    document.removeEventListener('themechange', changed);
    render(null, root);
  };
  document.addEventListener('themechange', changed);
  return root;
}

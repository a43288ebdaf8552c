/** Components that are rendered again only if a property has changed. `preact/compat` has more, and changes events. */

import { Component, type FunctionComponent, h } from 'preact';

export function memo<P extends object>(render: FunctionComponent<P>) {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const [before, after] = [this.props, next] as Record<string, unknown>[];
      return Object.keys({ ...before, ...after }).some((name) => before[name] !== after[name]);
    }

    override render() {
      return h(render, this.props);
    }
  };
}

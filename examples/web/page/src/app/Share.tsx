/** A link that opens a file on this page, for others. */

import { useState } from 'preact/hooks';
import { shareLink } from '../input/address';
import { copy } from '../input/clipboard';
import type { Item } from '../item';

export function Share({ item }: { item: Item }) {
  const [state, setState] = useState<{ words: string; link?: string }>();
  const share = async () => {
    const { link, reason } = shareLink(new URL(location.href), item.sources, location.hash);
    if (link === undefined) return setState({ words: reason });
    const words = (await copy(link)) ? 'The link was copied.' : 'The browser does not let the page copy. Copy the link from here:';
    setState({ words, link });
  };
  return (
    <div class="share">
      <button type="button" id="share" onClick={() => void share()}>Copy link</button>
      {state && (
        <p role="status">
          {state.words}
          {state.link && <> <input aria-label="Link to this file" readOnly value={state.link} onFocus={(event) => event.currentTarget.select()} /></>}
        </p>
      )}
    </div>
  );
}

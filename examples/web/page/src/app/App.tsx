/** The page: choosing files, their list, and the report on the selected one. */

import { useReducer } from 'preact/hooks';
import { useReveal } from '../scroll';
import { onChange, state } from '../store';
import { isDark, toggleTheme } from '../theme';
import { Choose } from './Choose';
import { Details } from './Details';
import { FileList } from './FileList';
import { Announcement, Verdict } from './Verdict';

export function App() {
  const [, redraw] = useReducer((renderings: number) => renderings + 1, 0);
  onChange(() => redraw(undefined));
  const { selected, selections } = state;
  // The report on a file that has been selected is brought into view: a table of files may be above it.
  const report = useReveal<HTMLElement>(selections || undefined);
  return (
    <>
      <header>
        <h1>linkstream</h1>
        <p id="privacy">Files stay on this machine: they are read here, in the browser, and nothing is uploaded.</p>
        <button id="theme" type="button" onClick={() => { toggleTheme(); redraw(undefined); }}>{isDark() ? 'Light theme' : 'Dark theme'}</button>
      </header>
      <main>
        <Choose />
        <FileList />
        <section id="report" aria-label="Report" ref={report}>
          {selected && <Verdict item={selected} />}
          {/* The key keeps the views of a file together: another file has views of its own. */}
          {selected?.state.kind === 'done' && <Details key={selected.id} item={selected} report={selected.state.report} />}
        </section>
        <Announcement item={selected} />
      </main>
    </>
  );
}

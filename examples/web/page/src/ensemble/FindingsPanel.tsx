/** What does not fit among all files: the findings of each ensemble, with links to the files. */

import type { EnsembleFinding } from 'linkstream';
import { useState } from 'preact/hooks';
import { integer } from '../format';
import { findingsOf, headOf, type Judgement } from './findings';

interface Props {
  judgement: Judgement | undefined;
  /** What is still to come. */
  words: string;
  onSelect: (id: number) => void;
}

/** Findings of an ensemble that are listed at first, and names of a finding, as in the program. */
const FINDINGS = 20;
const NAMES = 5;
/** Names that are listed at most. */
const MOST_NAMES = 500;

export function FindingsPanel({ judgement, words, onSelect }: Props) {
  return (
    <section class="ensemble-findings" aria-labelledby="ensemble-findings-title">
      <h3 id="ensemble-findings-title">Findings on all files together</h3>
      <p role="status" id="ensemble-findings-count">{[judgement && countOf(judgement), words].filter(Boolean).join('. ')}</p>
      {judgement && <Lists judgement={judgement} onSelect={onSelect} />}
    </section>
  );
}

function countOf({ report }: Judgement): string {
  const { ensembles } = report;
  const count = findingsOf(report).length;
  const counted = (number: number, noun: string) => `${integer(number)} ${noun}${number === 1 ? '' : 's'}`;
  if (ensembles.length === 0 && count === 0) return 'No files of a directory have names that differ in a number.';
  return `${counted(ensembles.length, 'ensemble')}, ${counted(count, 'finding')}`;
}

function Lists({ judgement, onSelect }: { judgement: Judgement; onSelect: (id: number) => void }) {
  const { ensembles, store } = judgement.report;
  // A key for each judgement: another one begins with its first findings.
  const list = (name: string, findings: EnsembleFinding[]) => <List key={name} name={name} findings={findings} judgement={judgement} onSelect={onSelect} />;
  return (
    <div class="ensemble-findings-view" tabIndex={0} role="region" aria-label="List of the findings">
      {ensembles.map((one) => (
        <div key={one.ensemble}>
          <h4>{one.ensemble} <small>{headOf(one)}</small></h4>
          {list(one.ensemble, one.findings)}
        </div>
      ))}
      {store.findings.length > 0 && <div key="/"><h4>the store</h4>{list('the store', store.findings)}</div>}
    </div>
  );
}

interface ListProps {
  name: string;
  findings: EnsembleFinding[];
  judgement: Judgement;
  onSelect: (id: number) => void;
}

function List({ name, findings, judgement, onSelect }: ListProps) {
  const [all, setAll] = useState(false);
  if (findings.length === 0) return <p class="good">no findings</p>;
  const shown = all ? findings : findings.slice(0, FINDINGS);
  return (
    <>
      <ul>{shown.map((finding, index) => <One key={index} finding={finding} judgement={judgement} onSelect={onSelect} />)}</ul>
      {shown.length < findings.length && (
        <button type="button" aria-label={`Show ${integer(findings.length - shown.length)} more findings on ${name}`} onClick={() => setAll(true)}>
          {integer(findings.length - shown.length)} more findings
        </button>
      )}
    </>
  );
}

function One({ finding: { kind, files, message }, judgement, onSelect }: { finding: EnsembleFinding; judgement: Judgement; onSelect: (id: number) => void }) {
  const [most, setMost] = useState(NAMES);
  const shown = files.slice(0, most);
  const rest = files.length - shown.length;
  return (
    <li>
      <strong class="bad">{kind}</strong>:{' '}
      {shown.map((file, index) => <span key={file}>{index > 0 && ', '}<File path={file} judgement={judgement} onSelect={onSelect} /></span>)}
      {rest > 0 && <>, {most === NAMES ? <button type="button" class="as-link" onClick={() => setMost(MOST_NAMES)}>and {integer(rest)} more</button> : `and ${integer(rest)} more`}</>}
      {files.length > 0 && ': '}{message}
    </li>
  );
}

/** The name of a file, which selects it: its row is scrolled to, and its report is shown. */
function File({ path, judgement, onSelect }: { path: string; judgement: Judgement; onSelect: (id: number) => void }) {
  const id = judgement.byPath.get(path)?.id;
  return id === undefined ? <>{path}</> : <button type="button" class="as-link" onClick={() => onSelect(id)}>{path}</button>;
}

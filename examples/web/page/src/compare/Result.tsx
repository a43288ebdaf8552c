/** The result of a comparison: a verdict, the data, and the documents that differ. */

import { Table } from '../table';
import type { Change, DataComparison, DiffReport, LargestDifference } from './diff';
import { changeRow, dataWords, exact, placeOf, verdictOf } from './words';

interface Properties {
  report: DiffReport;
  absolute: number;
  relative: number;
}

export function Result({ report, absolute, relative }: Properties) {
  const { tone, summary } = verdictOf(report, { absolute, relative });
  return (
    <>
      <p class={`comparison-verdict ${tone}`}><strong class="word">{summary}</strong></p>
      {report.damage.length > 0 && (
        <ul>{report.damage.map(({ in: file, message }, index) => <li key={index}>{`${file === 'a' ? 'First' : 'Second'} file: ${message}`}</li>)}</ul>
      )}
      {report.data.length > 0 && <h3>Data</h3>}
      {report.data.map((data, index) => <Data key={index} data={data} />)}
      {report.structure.length > 0 && <Changes caption="Differences in structure" changes={report.structure} />}
      {report.documents.map(({ name, changes }, index) => <Changes key={index} caption={name} changes={changes} />)}
    </>
  );
}

function Data({ data }: { data: DataComparison }) {
  const { name } = data;
  const largest: [string, LargestDifference | null][] = data.compared_as === 'numbers'
    ? [['absolute', data.largest_absolute], ['relative', data.largest_relative]]
    : [];
  const rows = largest.flatMap(([kind, found]) => (found ? [[kind, found.difference.toExponential(6), placeOf(found), exact(found.a), exact(found.b)]] : []));
  return (
    <div>
      <p><strong>{name}</strong>{`: ${dataWords(data)}`}</p>
      {rows.length > 0 && <Table caption={`Largest differences of ${name}`} head={['kind', 'difference', 'place', 'first file', 'second file']} rows={rows} cards />}
      {data.compared_as === null && <Changes caption={`Shapes of ${name}`} changes={data.changes} />}
    </div>
  );
}

function Changes({ caption, changes }: { caption: string; changes: Change[] }) {
  return <Table caption={caption} head={['element', 'first file', 'second file']} rows={changes.map(changeRow)} cards />;
}

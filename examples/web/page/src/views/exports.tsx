/** The view with exports: the report as JSON, and data as NPY, CSV or raw bytes. */

import { fieldsOf } from 'linkstream';
import { matrixAsBytes, matrixAsCsv, matrixAsNpy } from '../export-matrix';
import { integer } from '../format';
import { save } from '../save';
import { TaskState, useTask } from '../task';
import { FieldRow, RecordRow, Save } from './saving';
import type { ViewProperties } from './view';

const MAX_LISTED = 500;

export function Exports({ item, report }: ViewProperties) {
  const task = useTask();
  const records = report.records ?? [];
  const isMatrix = report.format === 'inebin' && report.rows != null;
  return (
    <div>
      <h3>Export</h3>
      <p>Each button makes a file and saves it.</p>
      <button type="button" id="save-json" onClick={() => save([JSON.stringify(report)], `${item.name}.json`, 'application/json')}>Report as JSON</button>
      <TaskState task={task} />
      <ul class="exports">
        {fieldsOf(report).map((field, index) => field.precision && <FieldRow key={`field-${index}`} item={item} field={field} index={index} task={task} />)}
        {records.slice(0, MAX_LISTED).map((record, index) => <RecordRow key={index} item={item} record={record} index={index} task={task} />)}
        {isMatrix && (
          <li class="actions">
            Matrix:
            <Save task={task} label=".npy" file={() => `${item.name}.npy`} make={(running) => matrixAsNpy(item, report, running)} id="save-matrix-npy" />
            <Save task={task} label="CSV" file={() => `${item.name}.csv`} make={(running) => matrixAsCsv(item, report, running)} id="save-csv" />
            <Save task={task} label="raw bytes" file={() => `${item.name}.bin`} make={(running) => matrixAsBytes(item, report, running)} id="save-matrix-bytes" />
          </li>
        )}
      </ul>
      {records.length > MAX_LISTED && <p>{`The first ${MAX_LISTED} of ${integer(records.length)} records are listed. The view of a record saves any of them.`}</p>}
    </div>
  );
}

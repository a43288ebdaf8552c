/** Reports on files and file sets. */

import { run, type JobOptions } from './job.js';
import type { LineOptions, SurveyOptions } from './protocol.js';
import type { Report } from './report.js';
import type { Source } from './source.js';

export async function survey(
  sources: Source[],
  name: string,
  isSet: boolean,
  options: SurveyOptions,
  job: JobOptions,
): Promise<Report> {
  const line = await run(sources, { call: 'survey', name, isSet, options }, job);
  return JSON.parse(new TextDecoder().decode(line as Uint8Array));
}

/** The report, and the line about the file in a manifest. */
export async function surveyWithLine(
  sources: Source[],
  name: string,
  isSet: boolean,
  options: SurveyOptions,
  line: LineOptions,
  job: JobOptions,
): Promise<{ report: Report; line: string }> {
  const lines = await run(sources, { call: 'survey', name, isSet, options, line }, job);
  const [report, about] = new TextDecoder().decode(lines as Uint8Array).split('\n');
  return { report: JSON.parse(report), line: about };
}

/** Reports on files and file sets. */

import { run, type JobOptions } from './job.js';
import type { SurveyOptions } from './protocol.js';
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

/** The functions of the package, on all platforms. */

export type * from './arrays.js';
export { check, type CheckOptions } from './check.js';
export { describe, type DescribeOptions, type Description } from './describe.js';
export { diff, type DiffOptions } from './diff.js';
export type * from './diff-report.js';
export { ensemble, type EnsembleOptions } from './ensemble.js';
export type * from './ensemble-report.js';
export { LinkstreamError } from './error.js';
export { fieldsOf } from './fields.js';
export { preload, type JobOptions, type Progress } from './job.js';
export type { ModuleName } from './platform.js';
export { open, type OpenFile } from './open.js';
export { push, type PushEvent } from './push.js';
export type * from './report.js';
export { pinned, type Source } from './source.js';

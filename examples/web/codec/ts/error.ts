/** The values of an error, as they come from a worker. */
export interface Failure {
  rule: string;
  class: string;
  offset: number;
  message: string;
}

/** A file that cannot be read as it was asked for, or a source that failed. */
export class LinkstreamError extends Error {
  /** The stable name of the broken rule, such as `lime-payload-truncated`. */
  readonly rule: string;
  /** The class of the error, common to all formats, such as `truncated` or `checksum`. */
  readonly class: string;
  /** Where in the file, in bytes. */
  readonly offset: number;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'LinkstreamError';
    this.rule = failure.rule;
    this.class = failure.class;
    this.offset = failure.offset;
  }
}

/** The rule of a defect of the compiled codec, after which its instance must not be used again. */
export const DEFECT = 'internal-error';

/** The values of whatever was thrown: by the compiled codec, or by a source. */
export function toFailure(thrown: unknown): Failure {
  if (typeof thrown === 'object' && thrown !== null && 'rule' in thrown) {
    const { rule, class: errorClass, offset, message } = thrown as Failure;
    return { rule, class: errorClass, offset, message };
  }
  if (thrown instanceof WebAssembly.RuntimeError) {
    return { rule: DEFECT, class: 'defect', offset: 0, message: `defect of the codec: ${thrown.message}` };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { rule: 'source-failed', class: 'source', offset: 0, message };
}

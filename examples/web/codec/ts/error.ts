/** The properties of an error, as a worker sends them. */
export interface Failure {
  rule: string;
  class: string;
  offset: number;
  message: string;
}

/** Error of a call: the source failed, or the file does not have the requested data or has them damaged. */
export class LinkstreamError extends Error {
  /** Stable name of the broken rule, such as `lime-payload-truncated`. `linkstream explain RULE` explains it. */
  readonly rule: string;
  /**
   * Class of the error, common to all formats, such as `truncated` or `checksum`. Beyond the classes of findings:
   * `source` if the source cannot be read, `misuse` if the file does not have what the call asks for, `defect` for a
   * defect of the codec.
   */
  readonly class: string;
  /** Position in the file, in bytes. It is 0 for errors that have no position. */
  readonly offset: number;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'LinkstreamError';
    this.rule = failure.rule;
    this.class = failure.class;
    this.offset = failure.offset;
  }
}

/** Rule of a defect of the compiled codec. After it, the instance of the module must not be used again. */
export const DEFECT = 'internal-error';

/** Returns the properties of an error that the compiled codec or a source has thrown. */
export function toFailure(thrown: unknown): Failure {
  if (typeof thrown === 'object' && thrown !== null && 'rule' in thrown) {
    const { rule, class: errorClass, offset, message } = thrown as Failure;
    return { rule, class: errorClass, offset, message };
  }
  if (thrown instanceof WebAssembly.RuntimeError) {
    return { rule: DEFECT, class: 'defect', offset: 0, message: `internal error (${thrown.message}), please report` };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { rule: 'source-failed', class: 'source', offset: 0, message };
}

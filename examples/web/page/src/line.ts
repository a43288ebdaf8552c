/** Lines about files, as in a manifest. */

/** The line about a file that could not be read: it is there, and counts as unreadable. */
export function unreadableLine(file: string, bytes: number | undefined, error: string): string {
  return JSON.stringify({ schema: 3, file, bytes: bytes ?? 0, read: new Date().toISOString(), verdict: 'unreadable', error });
}

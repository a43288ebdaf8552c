/** Saving files. */

export function save(parts: BlobPart[], name: string, type = 'application/octet-stream'): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // A minute is enough for the browser to begin to read. After that it does not need the address.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

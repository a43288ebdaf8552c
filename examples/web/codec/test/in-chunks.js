// Streams of bytes in chunks.

/** A stream with a chunk of `first` bytes, and the rest in chunks of `following`. */
export function inChunks(bytes, first, following = first) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at === bytes.length) return controller.close();
      const chunk = bytes.slice(at, at + (at === 0 ? first : following));
      at += chunk.length;
      controller.enqueue(chunk);
    },
  });
}

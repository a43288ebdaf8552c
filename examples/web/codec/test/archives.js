// Makes MILC files from the description of the format, since there are none among the fixtures.

/** Exclusive or of all words, word `i` rotated left by `i` mod `modulus`. */
function sum(words, modulus) {
  let found = 0;
  words.forEach((word, i) => {
    const by = i % modulus;
    found ^= by === 0 ? word : (word << by) | (word >>> (32 - by));
  });
  return found >>> 0;
}

/**
 * Makes a MILC file of version 5 with correct checksums. `links` are single-precision numbers in natural order of
 * sites. `list` is the order of the sites in the file; natural if absent.
 */
export function milc({ dims, links, isBig, list }) {
  const site = 4 * 18;
  const order = list ?? Array.from({ length: links.length / site }, (_, rank) => rank);
  const bits = new Uint32Array(links.buffer, links.byteOffset, links.length);
  const words = order.flatMap((rank) => [...bits.subarray(rank * site, (rank + 1) * site)]);
  const time = Buffer.alloc(64);
  time.write('Tue Jan  2 03:04:05 2024');
  const encode = (values) => {
    const out = Buffer.alloc(4 * values.length);
    values.forEach((value, i) => (isBig ? out.writeUInt32BE(value, 4 * i) : out.writeUInt32LE(value, 4 * i)));
    return out;
  };
  return Buffer.concat([
    encode([20103, ...dims]), time, encode([list ? 1 : 0, ...(list ?? [])]),
    encode([sum(words, 29), sum(words, 31)]), encode(words),
  ]);
}

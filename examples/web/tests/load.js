// node load.js: prints the time from a cold load on Fast 3G to the first verdict, and the time of a bare fetch of 300 kB.

import { bareFetch, coldLoad } from './loads.js';

const RUNS = 3;

console.log('| run | bare fetch of 300 kB | first verdict | bytes | requests |\n|---|---|---|---|---|');
for (let run = 1; run <= RUNS; run += 1) {
  const bare = await bareFetch();
  const { seconds, bytes, paths } = await coldLoad({ isThrottled: true });
  console.log(`| ${run} | ${bare.toFixed(2)} s | ${seconds.toFixed(2)} s | ${bytes.toLocaleString('en')} | ${paths.length} |`);
}

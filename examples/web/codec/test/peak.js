// node peak.js FILE [FILE]: prints the peak memory, in KiB, of a process that checks a file or compares two.

import { pathToFileURL } from 'node:url';
import { check, diff } from 'linkstream';

const [first, second] = process.argv.slice(2).map((path) => pathToFileURL(path));
await (second ? diff(first, second) : check(first));
console.log(process.resourceUsage().maxRSS);

// node peak.js FILE: prints the peak memory, in KiB, of a process that checks a file.

import { pathToFileURL } from 'node:url';
import { check } from 'linkstream';

await check(pathToFileURL(process.argv[2]));
console.log(process.resourceUsage().maxRSS);

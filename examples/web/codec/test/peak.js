// node peak.js FILE: the largest memory of a process that checks a file, in KiB.

import { pathToFileURL } from 'node:url';
import { check } from 'linkstream';

await check(pathToFileURL(process.argv[2]));
console.log(process.resourceUsage().maxRSS);

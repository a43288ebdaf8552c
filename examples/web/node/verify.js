// node verify.js FILE: prints the verdict on a file, and its findings.
import { pathToFileURL } from 'node:url';
import { check } from 'linkstream';

const report = await check(pathToFileURL(process.argv[2]));
console.log(`${report.file}: ${report.verdict}`);
for (const { severity, offset, message } of report.findings) {
  console.log(`${severity} at ${offset}: ${message}`);
}
process.exitCode = report.ok ? 0 : 1;

/** Missing volumes of QIO file sets. */

import type { Report } from 'linkstream';

/** Largest number of volumes that are listed. */
const LISTED = 6;

/**
 * Remark on a set whose numbers have gaps. QIO may leave numbers out, so only the documents show whether volumes are
 * missing: `missingVolumes` says so once the set has been read.
 */
export function missingByNumber(name: string, numbers: number[], inFolder: boolean): string | undefined {
  if (numbers.length === 1) {
    return `This is volume ${numbers[0]} alone. ${chooseAll(name, inFolder)}`;
  }
  const present = new Set(numbers);
  const absent: number[] = [];
  let count = 0;
  const last = Math.max(...numbers);
  for (let number = 0; number < last && number <= MOST_LOOKED_AT; number += 1) {
    if (present.has(number)) continue;
    count += 1;
    if (absent.length < LISTED) absent.push(number);
  }
  if (count === 0) return undefined;
  return `${capital(listed(absent, count))} ${count === 1 ? 'is' : 'are'} not among the chosen files. If there are such files: ${lower(chooseAll(name, inFolder))}`;
}

/** Numbers beyond this one are not looked for. A name can have any number. */
const MOST_LOOKED_AT = 1_000_000;

/** Remark on the volumes that are missing according to the documents and site lists that were read. */
export function missingVolumes(report: Report): string | undefined {
  const { volumes } = report;
  if (!volumes || volumes.length === 0) return undefined;
  const inFolder = report.volume_format === 'partition-directory';
  const isMissing = report.findings.some(({ rule }) => rule === 'volume-missing');
  const sites = volumes.reduce((sum, volume) => sum + volume.sites, 0);
  const all = latticeSites(report);
  const [only] = volumes;
  if (!isMissing && (volumes.length > 1 || sites === all)) return undefined;
  const have = volumes.length === 1
    ? `Only ${only.number === null ? 'one volume' : `volume ${only.number}`} of the set was chosen.`
    : `${volumes.length} volumes of the set were chosen.`;
  const held = all === undefined ? '' : ` ${volumes.length === 1 ? 'It has' : 'They have'} ${sites.toLocaleString('en')} of ${all.toLocaleString('en')} sites.`;
  return `${have}${held}${absentOf(report, all)} ${chooseAll(baseOf(report.file), inFolder)}`;
}

/** Volumes that must be missing if all volumes have the same size and their numbers have no gaps. */
function absentOf({ volumes = [] }: Report, all: number | undefined): string {
  const [{ sites }] = volumes;
  const numbers = volumes.map(({ number }) => number);
  if (all === undefined || sites === 0 || all % sites !== 0 || volumes.some((volume) => volume.sites !== sites)) return '';
  const total = all / sites;
  if (total <= volumes.length || numbers.some((number) => number === null || number >= total)) return '';
  const absent: number[] = [];
  for (let number = 0; number < total && absent.length < LISTED; number += 1) if (!numbers.includes(number)) absent.push(number);
  const count = total - new Set(numbers).size;
  return ` ${capital(listed(absent, count))} of ${total.toLocaleString('en')} ${count === 1 ? 'is' : 'are'} missing, if all have the same size.`;
}

/** Number of sites of the lattice, from the first document of the first volume. */
function latticeSites({ records = [], fields }: Report): number | undefined {
  const text = records.find(({ type }) => type === 'scidac-private-file-xml')?.text;
  const extents = /<dims>\s*([\d\s]+?)\s*<\/dims>/.exec(text ?? '')?.[1].split(/\s+/).map(Number) ?? fields[0]?.extents;
  return extents?.reduce((product, extent) => product * extent, 1);
}

function listed(numbers: number[], count: number): string {
  const rest = count - numbers.length;
  const words = numbers.map((number) => number.toLocaleString('en', { useGrouping: false }));
  if (rest > 0) return `volumes ${words.join(', ')} and ${rest.toLocaleString('en')} more`;
  if (words.length === 1) return `volume ${words[0]}`;
  return `volumes ${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function chooseAll(name: string, inFolder: boolean): string {
  return inFolder
    ? `Choose the folder that contains the folders vol0000, vol0001 … with the volumes ${name}.`
    : `Choose all files ${name}.vol… together.`;
}

const baseOf = (file: string) => file.slice(file.lastIndexOf('/') + 1).replace(/\.vol\d{4,}$/, '');
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

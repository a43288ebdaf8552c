/** The number of a configuration in its Markov chain, called update, trajectory or sequence number. */

import type { Report } from 'linkstream';

export interface Update {
  number: number;
  /** Document that has the number, or `file name`. */
  from: string;
}

/** Spellings in texts: ILDG and Chroma, Grid, tmLQCD, and NERSC headers that were converted. */
const SPELLINGS = [
  /<update>\s*(\d+)\s*<\/update>/,
  /<update_no>\s*(\d+)\s*<\/update_no>/,
  /<sequence_number>\s*(\d+)\s*<\/sequence_number>/,
  /\btrajectory nr\s*=\s*(\d+)/,
  /\bSEQUENCE_NUMBER\s*=\s*(\d+)/,
];

export function updateOf(report: Report | undefined, name: string): Update | undefined {
  return (report && inDocuments(report)) ?? inName(name);
}

function inDocuments({ header = [], records = [] }: Report): Update | undefined {
  const entry = header.find(([key, text]) => key.toUpperCase() === 'SEQUENCE_NUMBER' && /^\s*\d+\s*$/.test(text));
  if (entry) return update(entry[1], 'header');
  for (const { type, text } of records) {
    for (const spelling of text ? SPELLINGS : []) {
      const found = spelling.exec(text ?? '');
      if (found) return update(found[1], type);
    }
  }
  return undefined;
}

const ENDINGS = /\.(lime|ildg|scidac|nersc|milc|gauge|dat|bin|scda|inebin|gz)$/i;
/** A number after a separator, or after a word for configurations. */
const NUMBER = /(?:^|[._-]|(?:traj|trajectory|cfg|conf|config|ckpt|checkpoint|update|upd|lat|seq|nr|no|n|id))(\d+)(?=$|[._-])/gi;
/** After a dot and a digit, as in beta6.000, shorter numbers are decimals. */
const LEAST_AFTER_DECIMAL = 3;

/** The last number in a file name that is not an extent of the lattice and no decimal. */
function inName(name: string): Update | undefined {
  let stem = name.split('/').pop() ?? name;
  while (ENDINGS.test(stem)) stem = stem.replace(ENDINGS, '');
  const found = [...stem.matchAll(NUMBER)].filter((match) => {
    const isDecimal = /\d\.$/.test(stem.slice(0, match.index + match[0].length - match[1].length));
    return !isDecimal || match[1].length >= LEAST_AFTER_DECIMAL;
  });
  const last = found.at(-1);
  return last && update(last[1], 'file name');
}

function update(digits: string, from: string): Update | undefined {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? { number, from } : undefined;
}

/** Links and texts that are dropped. */

import { addressesOf, isThisPage, parseAddress } from './address';

/** Largest number of characters of a text that are repeated in a remark. */
const SHOWN = 60;

/** The addresses in a drop. A link to this page means the files that it names, which somebody else may have chosen: `isNamed`. */
export function linksOf(uriList: string, text: string, page: URL): { urls: URL[]; notes: string[]; isNamed: boolean } {
  const lines = linesOf(uriList);
  const isList = lines.length > 0;
  const candidates = isList ? lines : linesOf(text);
  const urls: URL[] = [];
  const notes: string[] = [];
  let isNamed = false;
  for (const line of candidates) {
    const { url, problem } = parseAddress(line);
    if (url && isThisPage(url, page)) {
      const named = addressesOf(url);
      urls.push(...named.urls);
      isNamed = true;
      notes.push(...named.notes);
    } else if (url) urls.push(url);
    else if (isList && problem) notes.push(problem);
  }
  if (urls.length === 0 && notes.length === 0) notes.push(refusal(candidates.join(' ')));
  return { urls, notes, isNamed };
}

/** Comments of a list begin with `#`. */
function linesOf(text: string): string[] {
  return text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}

function refusal(text: string): string {
  if (text === '') return 'What was dropped has neither files nor a link.';
  const start = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return `The dropped text is no address of a file: “${start}”. An address begins with https:// or http://.`;
}

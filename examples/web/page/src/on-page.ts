/** Messages of the codec for people who have this page, but not the program. */

/** Commands of a shell, and what to do on the page instead. */
const INSTEAD: [RegExp, string][] = [
  [/^this is (.+): `[^`]*\| linkstream check -` reads what is in it$/, 'this is $1: unpack it, and choose the file that is in it'],
  [/,? and so does `linkstream inebin from-csv`/, ''],
];

/**
 * The parts of a message, one for each line: first what is wrong, then why and what can be done. Parts that need a
 * command of the program are left out.
 */
export function onPage(message: string): string[] {
  const parts = message.split('; ').map((part) => INSTEAD.reduce((text, [command, words]) => text.replace(command, words), part));
  const possible = parts.filter((part) => !part.includes('`linkstream ') && !part.includes('| linkstream '));
  // A message is never empty.
  return possible.length > 0 ? possible : [message];
}

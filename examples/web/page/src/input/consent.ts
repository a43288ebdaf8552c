/**
 * Questions before the addresses of a link are opened. A link comes from somebody else: it must not make the browser of a
 * reader ask machines that only this reader can reach, or hundreds of them.
 */

/** Largest number of addresses that are opened without a question of their own. */
export const WITHOUT_QUESTION = 20;

export interface Question {
  kind: 'hosts' | 'many';
  urls: URL[];
  /** Hosts that the user has not been asked about; none if it is their number that is asked about. */
  hosts: string[];
}

/** The next question about the addresses; `undefined` if they may be opened. */
export function questionOn(urls: URL[], page: URL, allowed: ReadonlySet<string>, mayBeMany: boolean): Question | undefined {
  const foreign = urls.filter(({ origin }) => origin !== page.origin).map(({ host }) => host);
  const hosts = [...new Set(foreign)].filter((host) => !allowed.has(host)).sort();
  if (hosts.length > 0) return { kind: 'hosts', urls, hosts };
  return urls.length > WITHOUT_QUESTION && !mayBeMany ? { kind: 'many', urls, hosts } : undefined;
}

/** Reasons why a remote file cannot be read, and what its server must send. */

import { messageOf } from '../failure';

/** Time in milliseconds that a server has for its answer. */
const PATIENCE = 5000;

/** Headers that a server must send so that pages of other origins can read its files. */
const HEADERS =
  'The server must send the header “Access-Control-Allow-Origin: *”; so that files can be read in parts, it must also allow the header “Range” (“Access-Control-Allow-Headers: Range”), answer it, and send “Access-Control-Expose-Headers: Content-Range”.';

/** Messages of browsers for requests that they refuse or that fail. They give no details, so that pages cannot spy. */
const REFUSED = /failed to fetch|networkerror|load failed|network error|fetch failed/i;

/**
 * Explains an error of reading `url`. `isReachable` is true if the server has answered a request whose answer the page may
 * not see; undefined if that was not tried.
 */
export function explainFetch(error: unknown, url: URL, page: URL, isReachable?: boolean): string {
  const message = messageOf(error);
  const status = Number(/the server answered (\d{3})/.exec(message)?.[1] ?? Number.NaN);
  if (!Number.isNaN(status)) return ofStatus(status, url, message);
  if (!REFUSED.test(message)) return message;
  if (page.protocol === 'https:' && url.protocol === 'http:' && !isLocal(url)) {
    return `This page was loaded by https, so the browser does not let it read ${url.host} by http. Use an address that begins with https://, or download the file and choose it here.`;
  }
  if (url.origin === page.origin) return `The server of this page (${url.host}) cannot be reached. Check the network, and try again.`;
  if (isReachable === false) return `${url.host} cannot be reached. Check the address and the network.`;
  const beginning = isReachable
    ? `${url.host} answers, but does not let pages of other servers read the file (CORS).`
    : `The browser did not let this page read the file: ${url.host} cannot be reached, or does not let pages of other servers read it (CORS).`;
  return `${beginning} ${HEADERS} If you cannot change the server, download the file and choose it here.`;
}

function ofStatus(status: number, { host, pathname }: URL, message: string): string {
  if (status === 404 || status === 410) return `${host} has no file ${pathname} (status ${status}). Check the address.`;
  if (status === 401 || status === 403) return `${host} does not give the file to this page (status ${status}): it may require a login. Download the file there, and choose it here.`;
  if (status === 429) return `${host} has answered too many requests (status 429). Try again later.`;
  if (status >= 500) return `${host} failed to answer (status ${status}). Try again later.`;
  if (message.includes('range request')) return `${host} does not give parts of the file, although it said so (status ${status} to a range request). Download the file, and choose it here.`;
  return `${host} did not give the file (status ${status}). Check the address.`;
}

const isLocal = ({ hostname }: URL) => hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';

/** Explains an error of reading the file at `url`. Asks the server whether it can be reached, if that makes a difference. */
export async function explained(error: unknown, url: URL): Promise<string> {
  const page = new URL(location.href);
  const isUnclear = REFUSED.test(messageOf(error)) && url.origin !== page.origin;
  return explainFetch(error, url, page, isUnclear ? await isReachable(url) : undefined);
}

async function isReachable(url: URL): Promise<boolean> {
  try {
    await fetch(url, { mode: 'no-cors', method: 'HEAD', signal: AbortSignal.timeout(PATIENCE) });
    return true;
  } catch {
    return false;
  }
}

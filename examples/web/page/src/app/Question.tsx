/** A question before the addresses of a link are opened. */

import { agree, decline } from '../actions';
import { integer, plural } from '../format';
import { state } from '../store';

/** Number of hosts that are listed; a link with more is not one that a reader can judge. */
const SHOWN = 20;

const counted = (count: number, noun: string) => `${integer(count)} ${plural(count, noun)}`;

export function Question() {
  const { question } = state;
  if (!question) return null;
  const { kind, urls, hosts } = question;
  const files = counted(urls.length, 'file');
  return (
    <div id="question" role="alert">
      {kind === 'hosts' ? (
        <>
          <p>This link opens {files} from {hosts.length === 1 ? 'another server' : counted(hosts.length, 'other server')}. Open them only if you know {hosts.length === 1 ? 'it' : 'them'}:</p>
          <ul>{hosts.slice(0, SHOWN).map((host) => <li key={host}><code>{host}</code></li>)}{hosts.length > SHOWN && <li>and {counted(hosts.length - SHOWN, 'other')}</li>}</ul>
        </>
      ) : <p>This link opens {files} at once.</p>}
      <div class="actions">
        <button id="agree" type="button" onClick={agree}>{kind === 'hosts' ? 'Open from these servers' : `Open all ${files}`}</button>
        <button id="decline" type="button" onClick={decline}>Do not open</button>
      </div>
    </div>
  );
}

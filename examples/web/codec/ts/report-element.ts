/**
 * The element `<linkstream-report src="…">`: verifies the file at an address and shows the result. This file registers
 * the element when it is imported in a page.
 */

import { check, type CheckOptions, LinkstreamError, open, type Progress } from './index.js';
import { inTurn } from './report-queue.js';
import { STYLE } from './report-style.js';
import type { Finding, Report } from './report.js';
import { named } from './source.js';
import { bytesOf, contentsOf, counts, verdictOf } from './words.js';

/** State of the element, also the value of its attribute `state`. */
export type ReportState = 'waiting' | 'loading' | 'ok' | 'unverified' | 'wrong' | 'unreadable';

/** Events of the element. Both bubble. */
export interface ReportElementEvents {
  /** The report is complete: `detail` is the report. */
  'linkstream-report': CustomEvent<Report>;
  /** The file could not be read: `detail` is the error. */
  'linkstream-error': CustomEvent<unknown>;
}

/** Findings that are listed. The report has all. */
const MAX_FINDINGS = 20;
const TONES = { ok: 'good', unverified: 'fair', wrong: 'bad' } as const;

// A server that renders pages has no elements: there, the class can be imported, but not be used.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

export class LinkstreamReportElement extends Base {
  static readonly observedAttributes = ['src', 'open', 'no-observables', 'loading'];

  #report: Report | undefined;
  #error: unknown;
  #running: AbortController | undefined;
  #visible: IntersectionObserver | undefined;
  /** True while a start is scheduled, so that several attributes that change together start the element once. */
  #scheduled = false;

  /** The report; undefined while the file is read, and if it cannot be read. */
  get report(): Report | undefined {
    return this.#report;
  }

  /** The error, if the file could not be read. */
  get error(): unknown {
    return this.#error;
  }

  get state(): ReportState {
    return (this.getAttribute('state') as ReportState | null) ?? 'waiting';
  }

  /** Address of the file, as the attribute has it. */
  get src(): string {
    return this.getAttribute('src') ?? '';
  }

  set src(address: string) {
    this.setAttribute('src', address);
  }

  connectedCallback(): void {
    if (!this.shadowRoot) {
      const root = this.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = [style()];
      // Always there, so that screen readers announce its text when it changes.
      root.append(made('p', { class: 'verdict', part: 'verdict', role: 'status' }), made('div', { part: 'content' }));
    }
    this.#schedule();
  }

  disconnectedCallback(): void {
    this.#stop();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || !this.isConnected) return;
    // A file that has been read is not read again because of its time of loading.
    if (name === 'loading' && this.state !== 'waiting') return;
    this.#schedule();
  }

  /** Reads the file again, such as after an error of the network. */
  reload(): void {
    this.#stop();
    void this.#read();
  }

  #stop(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#visible?.disconnect();
    this.#visible = undefined;
  }

  /** Starts from the beginning, when the element is visible. */
  #schedule(): void {
    this.#stop();
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      if (!this.isConnected) return;
      this.#show('waiting', line({ class: 'muted', part: 'sentence' }, this.src ? 'Not read yet.' : 'No file.'));
      if (!this.src) return;
      if (this.getAttribute('loading') === 'eager') return void this.#read();
      this.#visible = new IntersectionObserver((entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        this.#visible?.disconnect();
        void this.#read();
      }, { rootMargin: '200px' });
      this.#visible.observe(this);
    });
  }

  async #read(): Promise<void> {
    const running = (this.#running = new AbortController());
    const { signal } = running;
    [this.#report, this.#error] = [undefined, undefined];
    try {
      const url = new URL(this.src, document.baseURI);
      const isRead = !this.hasAttribute('open');
      this.#loading(url)({ bytes: 0, total: undefined });
      const report = await inTurn(signal, () => this.#ask(url, isRead, { signal, onProgress: this.#loading(url) }));
      if (signal.aborted) return;
      this.#report = report;
      this.#done(report, isRead);
      this.dispatchEvent(new CustomEvent('linkstream-report', { detail: report, bubbles: true, composed: true }));
    } catch (error) {
      if (signal.aborted) return;
      this.#error = error;
      this.#failed(error);
      this.dispatchEvent(new CustomEvent('linkstream-error', { detail: error, bubbles: true, composed: true }));
    }
  }

  async #ask(url: URL, isRead: boolean, options: CheckOptions): Promise<Report> {
    if (!isRead) return (await open(url, options)).report;
    return check(url, { ...options, observables: !this.hasAttribute('no-observables') });
  }

  /** Shows that the file is read, and returns a function that shows the progress. */
  #loading(url: URL): (progress: Progress) => void {
    const { name } = named(url);
    const bar = made('progress', { part: 'progress', 'aria-label': `Reading ${name}` }) as HTMLProgressElement;
    const words = line({ class: 'muted', part: 'sentence' }, `Reading ${name}`);
    return ({ bytes, total }) => {
      if (!bar.isConnected) this.#show('loading', words, bar);
      words.textContent = `Reading ${name}${bytes > 0 ? `: ${bytesOf(bytes)}${total ? ` of ${bytesOf(total)}` : ''}` : ''}`;
      if (total) [bar.max, bar.value] = [total, Math.min(bytes, total)];
    };
  }

  #done(report: Report, isRead: boolean): void {
    const { symbol, word, sentence } = verdictOf(report, isRead);
    const contents = contentsOf(report);
    this.#show(
      report.verdict,
      ...(contents ? [line({ part: 'physics' }, contents)] : []),
      ...(sentence ? [line({ class: 'muted', part: 'sentence' }, sentence)] : []),
      ...(report.findings.length > 0 ? [findingsOf(report.findings)] : []),
    );
    this.#verdict(TONES[report.verdict], symbol, word);
  }

  #failed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const again = made('button', { part: 'retry', type: 'button' }, 'Try again');
    again.addEventListener('click', () => this.reload());
    this.#show(
      'unreadable',
      line({ part: 'error' }, `The file cannot be read: ${message}${causeOf(error, this.src)}`),
      again,
    );
    this.#verdict('bad', '✗', 'Unreadable');
  }

  /** Shows a state without a verdict. */
  #show(state: ReportState, ...content: Node[]): void {
    this.setAttribute('state', state);
    this.shadowRoot?.querySelector('[part=verdict]')?.replaceChildren();
    this.shadowRoot?.querySelector('[part=content]')?.replaceChildren(...content);
  }

  #verdict(tone: string, symbol: string, word: string): void {
    const verdict = this.shadowRoot?.querySelector('[part=verdict]');
    if (!verdict) return;
    verdict.className = `verdict ${tone}`;
    verdict.replaceChildren(made('span', { class: 'symbol', part: 'symbol', 'aria-hidden': 'true' }, symbol), word);
  }
}

let sheet: CSSStyleSheet | undefined;

/** The style, which all elements share. A content security policy does not forbid it, unlike an element `<style>`. */
function style(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
  }
  return sheet;
}

/** The likely cause of an error. Browsers do not say why they refuse a request to another origin. */
function causeOf(error: unknown, src: string): string {
  if (!(error instanceof LinkstreamError && error.class === 'source')) return '';
  const { origin } = new URL(src, document.baseURI);
  if (origin === location.origin || !/fetch|network|load failed/i.test(error.message)) return '';
  return `. Either ${origin} cannot be reached, or it does not send "Access-Control-Allow-Origin: ${location.origin}"`;
}

function findingsOf(findings: Finding[]): HTMLElement {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const items = findings.slice(0, MAX_FINDINGS).map(({ severity, message, rule, offset }) =>
    made('li', { part: 'finding' }, made('span', { class: severity === 'error' ? 'bad' : 'fair' }, severity), ` at byte ${offset.toLocaleString('en')}: ${message} `, made('code', {}, rule)));
  const left = findings.length - items.length;
  if (left > 0) items.push(made('li', { part: 'finding' }, `… and ${left.toLocaleString('en')} more`));
  const list = made('details', { part: 'findings' }, made('summary', {}, counts(errors, findings.length - errors)), made('ul', {}, ...items));
  list.toggleAttribute('open', errors > 0);
  return list;
}

const line = (attributes: Record<string, string>, text: string): HTMLElement => made('p', attributes, text);

function made(name: string, attributes: Record<string, string>, ...content: (Node | string)[]): HTMLElement {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

if (globalThis.customElements && !customElements.get('linkstream-report')) {
  customElements.define('linkstream-report', LinkstreamReportElement);
}

declare global {
  interface HTMLElementTagNameMap {
    'linkstream-report': LinkstreamReportElement;
  }
  interface GlobalEventHandlersEventMap extends ReportElementEvents {}
}

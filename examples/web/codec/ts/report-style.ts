/** Style of the element. A page changes it by custom properties and by `::part(…)`. */
export const STYLE = `
:host {
  --good: #0a6b2d; --fair: #7a4b00; --bad: #a3131c; --muted: #4c5767;
  display: block; font: inherit; line-height: 1.4; color: var(--linkstream-text, inherit);
  background: var(--linkstream-background, transparent);
  border: 1px solid var(--linkstream-border, currentColor); border-radius: var(--linkstream-radius, 0.4rem);
  padding: var(--linkstream-padding, 0.5rem 0.75rem); overflow-wrap: anywhere;
}
@supports (color: light-dark(red, blue)) {
  :host {
    --good: light-dark(#0a6b2d, #7ddb9b); --fair: light-dark(#7a4b00, #f2c572);
    --bad: light-dark(#a3131c, #ff9d9d); --muted: light-dark(#4c5767, #b0bac8);
  }
}
:host([hidden]) { display: none; }
p, ul { margin: 0; }
.verdict { font-weight: bold; }
.symbol { display: inline-block; min-width: 1.2em; }
.good { color: var(--linkstream-ok, var(--good)); }
.fair { color: var(--linkstream-unverified, var(--fair)); }
.bad { color: var(--linkstream-wrong, var(--bad)); }
.muted { color: var(--linkstream-muted, var(--muted)); }
progress { width: 100%; accent-color: var(--linkstream-accent, auto); }
ul { padding-left: 1.2em; }
button { font: inherit; }
code { font-size: 0.9em; }
`;

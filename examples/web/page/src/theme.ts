/** The light and the dark theme. The page follows the system until the user chooses a theme, which is remembered. */

const KEY = 'theme';
const system = matchMedia('(prefers-color-scheme: dark)');

/** Storage may be switched off in a browser. Then the choice lasts as long as the page. */
function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

let chosen = remembered();

export function isDark(): boolean {
  return chosen === null ? system.matches : chosen === 'dark';
}

/** Shows the present theme. Plots draw themselves again. */
function show(): void {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
  document.dispatchEvent(new Event('themechange'));
}

export function toggleTheme(): void {
  chosen = isDark() ? 'light' : 'dark';
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // The choice is not remembered.
  }
  show();
}

/** Shows the theme now, and whenever the system changes. `changed` is called then. */
export function installTheme(changed: () => void): void {
  system.addEventListener('change', () => {
    show();
    changed();
  });
  show();
}

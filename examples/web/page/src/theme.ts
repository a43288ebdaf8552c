/** The light and the dark theme. The page follows the system until the button is used. */

export function installTheme(button: HTMLElement): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  let chosen: boolean | undefined;
  const show = () => {
    const isDark = chosen ?? system.matches;
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
    button.textContent = isDark ? 'Light theme' : 'Dark theme';
    document.dispatchEvent(new Event('themechange'));
  };
  button.addEventListener('click', () => {
    chosen = !(chosen ?? system.matches);
    show();
  });
  system.addEventListener('change', show);
  show();
}

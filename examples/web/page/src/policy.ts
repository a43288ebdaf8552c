/** The part of the content security policy that depends on how the page was loaded. The rest is in vite.config.js. */

/** A page that was loaded by https reads no addresses without it, not even of this machine, which browsers would allow. */
export function restrict({ protocol }: Location): void {
  if (protocol !== 'https:') return;
  const meta = document.createElement('meta');
  meta.httpEquiv = 'Content-Security-Policy';
  meta.content = "connect-src 'self' https:";
  document.head.append(meta);
}

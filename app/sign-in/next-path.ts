/** Parses the page to open after sign-in: a path of this Sharebook, else the home page. Never another site. */
export function parseNextPath(text: unknown): string {
  if (typeof text !== 'string' || !/^\/[\x21-\x7e]*$/.test(text) || text.length > 2_000) return '/';
  const base = 'http://sharebook.invalid';
  const url = URL.parse(text, base);
  if (!url || url.origin !== base || url.pathname.startsWith('//') || /^\/(sign-in|set-up)(\/|$)/.test(url.pathname)) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}

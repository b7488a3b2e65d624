export type Theme = 'system' | 'light' | 'dark';

/** Parses the chosen theme; any other text follows the system. */
export function parseTheme(text: string | undefined): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}

export type Theme = 'system' | 'light' | 'dark';

/** Reads the theme a person chose; anything else follows the system. */
export function parseTheme(text: string | undefined): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}

import { formatInstant } from './format-instant.ts';

const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.0+)?)?Z?(?![:.]?\d)/g;

/** A stored text for a person: the UTC instants in it as days and times, the zone named once after the last; one with a fraction stays as it is. */
export function tellInstants(text: string): string {
  const last = [...text.matchAll(INSTANT)].at(-1)?.index;
  return text.replace(INSTANT, (instant, at: number) => `${tell(instant)}${at === last ? ' UTC' : ''}`);
}

function tell(instant: string): string {
  const utc = instant.endsWith('Z') ? instant : `${instant}Z`;
  return formatInstant(utc, 'UTC', /T\d\d:\d\d(:00(\.0+)?)?Z$/.test(utc) ? 'minute' : 'second');
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The first day after a day that is no Saturday and no Sunday. Days are `2026-11-20`. Bank holidays are for the person to know. */
export function nextWorkday(day: string): string {
  let next = Date.parse(`${day}T00:00:00Z`) + DAY_MS;
  while (isWeekend(next)) next += DAY_MS;
  return new Date(next).toISOString().slice(0, 10);
}

function isWeekend(instant_ms: number): boolean {
  const weekday = new Date(instant_ms).getUTCDay();
  return weekday === 0 || weekday === 6;
}

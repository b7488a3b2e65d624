/** What one month of one game costs to pull and to render. Seconds of work beside waiting for Invo. */
export interface MonthCost {
  calls: number;
  pull_s: number;
  render_s: number;
}

/** How calls go out: so many in any minute, so many in flight, and how long Invo takes to answer one. */
export interface CallRules {
  callsPerMinute: number;
  callsAtOnce: number;
  call_s: number;
}

/**
 * Seconds from the first call of a pull to its snapshot, call by call: each waits for a free slot in flight and for the game's budget of any
 * sliding minute; then comes the work of its own.
 */
export function timeOfPull({ calls, pull_s }: MonthCost, { callsPerMinute, callsAtOnce, call_s }: CallRules): number {
  const sent: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const freeAt = (sent[call - callsAtOnce] ?? -call_s) + call_s;
    const allowedAt = (sent[call - callsPerMinute] ?? -60) + 60;
    sent.push(Math.max(0, freeAt, allowedAt));
  }
  return (sent.at(-1) ?? 0) + call_s + pull_s;
}

/**
 * Seconds until each month is complete when all are due at once. A worker has one pull at a time, takes the next one of the queue when it is
 * free, and renders what it pulled. Order: that of the queue.
 */
export function simulateMonthEnd(queue: MonthCost[], workers: number, rules: CallRules): number[] {
  const freeAt = Array.from({ length: workers }, () => 0);
  return queue.map((month) => {
    const worker = freeAt.indexOf(Math.min(...freeAt));
    const complete_s = (freeAt[worker] ?? 0) + timeOfPull(month, rules);
    freeAt[worker] = complete_s + month.render_s;
    return complete_s;
  });
}

import { isEnded } from '#lib/actions/rules/action-state.ts';
import { protocolOf } from '#lib/actions/rules/protocols.ts';
import type { Defect, History, PlayedKind } from './history-ports.ts';
import type { StoredAction } from './memory-store.ts';
import { executedAs, runHistory } from './run-history.ts';

const BROKEN_MAX = 5;

/** The results of many histories. */
export interface Histories {
  /** Broken rules, each with the seed that shows it; playing ends after the first few. */
  broken: string[];
  /** The final states reached, each once, sorted. */
  ends: string[];
  mishaps: number;
}

/** Plays the histories of seeds 1 to `count` and checks that everything was executed once or not at all, and that no state claims otherwise. */
export async function playHistories(kind: PlayedKind, count: number, defect: Defect = {}): Promise<Histories> {
  const broken: string[] = [];
  const ends = new Set<string>();
  let mishaps = 0;
  for (let seed = 1; seed <= count && broken.length < BROKEN_MAX; seed++) {
    const history = await runHistory(kind, seed, defect);
    mishaps += history.mishaps;
    for (const action of history.actions) {
      ends.add(action.state);
      broken.push(...violations(history, action).map((violation) => `seed ${seed}: action ${action.actionId} ${violation}`));
    }
  }
  return { broken, ends: [...ends].toSorted(), mishaps };
}

function violations({ invo, passed }: History, { actionId, state, content, attempts, attempt_count }: StoredAction): string[] {
  const { kind } = content;
  const isOnce = protocolOf(kind).repeats === 'never';
  const calls = invo.calls.filter((each) => each.actionId === actionId);
  const shown = passed.filter((each) => each === actionId).length;
  const own = invo.executedBy(actionId);
  const all = invo.executedOn(executedAs(content));
  // A link that nobody received can be made and expire; nothing else ends as not executed when it was.
  const mayBeUnknown = state === 'lapsed' && isOnce && shown === 0;
  const claimsNothing = state !== 'done' && isEnded(state) && !mayBeUnknown;
  const rules: [string, boolean][] = [
    [`was executed ${all} times`, all > 1],
    ['is done and was not executed', state === 'done' && all === 0],
    [`is ${state} and was executed`, (claimsNothing || state === 'awaiting_approval') && own > 0],
    [`is ${state} and its link was shown`, shown > (state === 'done' ? 1 : 0)],
    ['was sent twice', isOnce && (attempt_count > 1 || calls.length > 1)],
    ['was sent without a committed attempt', calls.length > 0 && attempts.length === 0],
    ['was sent as other bytes', new Set(calls.map(({ bytes }) => bytes)).size > 1],
    [`rests as ${state}`, !isEnded(state) && state !== 'attention' && state !== 'awaiting_approval'],
  ];
  return rules.flatMap(([name, isBroken]) => (isBroken ? [name] : []));
}

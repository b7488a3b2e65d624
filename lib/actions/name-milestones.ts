import { type Actor, may } from '../core/roles.ts';
import { parseTypedNote } from '../core/typed-input.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { MILESTONE_REFUSALS } from './control-text.ts';
import { type MilestoneEvent, parseMilestoneName } from './rules/kinds.ts';
import { deleteMilestone, insertMilestone } from './writes/switches.ts';

const LABEL_LENGTH_MAX = 100;

type MilestoneResult = { ok: true } | { ok: false; reason: keyof typeof MILESTONE_REFUSALS };

/** Adds the name of a milestone, which must be registered with Invo. One admin is enough: each event has a second person of its own. */
export async function addMilestone(
  game: OpenGame,
  actor: Actor,
  typed: { eventType: MilestoneEvent; name: string; label: string },
): Promise<MilestoneResult> {
  if (!may(actor.roles, 'people.manage')) return { ok: false, reason: 'not_allowed' };
  const name = parseMilestoneName(typed.name);
  if (name === null) return { ok: false, reason: 'not_a_name' };
  const label = parseTypedNote(typed.label, LABEL_LENGTH_MAX);
  if (!label.ok) return { ok: false, reason: 'not_a_label' };
  const isNew = await insertMilestone(game.db, { gameId: game.gameId, actor, eventType: typed.eventType, name, label: label.text });
  return isNew ? { ok: true } : { ok: false, reason: 'no_change' };
}

/** Removes the name of a milestone: it can no longer be reported from Sharebook. */
export async function removeMilestone(
  game: OpenGame,
  actor: Actor,
  milestone: { eventType: MilestoneEvent; name: string },
): Promise<MilestoneResult> {
  if (!may(actor.roles, 'people.manage')) return { ok: false, reason: 'not_allowed' };
  const isGone = await deleteMilestone(game.db, { gameId: game.gameId, actor, ...milestone });
  return isGone ? { ok: true } : { ok: false, reason: 'no_change' };
}

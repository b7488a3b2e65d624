import { GROUP_TEXT } from '#lib/actions/text.ts';
import { send, visit } from './visit.ts';

export const DESK_SETTINGS = '/settings/desk-actions/demo';
export const PASSWORD = { password: 'simulated data only' };

/** Turns a group of desk actions on, as an admin and a second person do. */
export async function turnOnGroup(group: keyof typeof GROUP_TEXT): Promise<void> {
  const about = { game: 'demo', group, ...PASSWORD };
  await send('turnOnGroupAction', DESK_SETTINGS, about, 'admin');
  const row = (await visit(DESK_SETTINGS, 'finance')).row(new RegExp(`^${GROUP_TEXT[group].label}`));
  const { result } = await send('confirmSwitchAction', DESK_SETTINGS, { ...about, requestedBy: row.hidden('requestedBy') }, 'finance');
  if (result?.kind !== 'done') throw new Error(`${group} isn’t on: ${JSON.stringify(result)}`);
}

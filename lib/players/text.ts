type ReadKind = 'live' | 'stored' | 'not_found' | 'nothing';

/** The name of a player, or the id when Invo gave no name. */
export function formatPlayerName(name: string | null, playerId: number): string {
  return name === null || name.trim() === '' ? `Player ${playerId}` : name;
}

/**
 * What an empty list of subscriptions means. Invo answers an unknown email with an empty list too, so only a wallet shows that the
 * player exists.
 */
export function formatNoSubscriptions(list: ReadKind, wallet: ReadKind): string {
  const listed = list === 'live' ? 'Invo lists no subscriptions' : 'Invo listed no subscriptions when it last answered';
  if (wallet === 'live') return list === 'live' ? 'This player exists and has no subscriptions.' : `This player exists. ${listed}.`;
  if (wallet === 'not_found') return `${listed} and has no wallet for this player. The player may not exist.`;
  return wallet === 'stored'
    ? `${listed}. Sharebook couldn’t check whether the player still exists.`
    : `${listed}. Sharebook couldn’t check whether the player exists.`;
}

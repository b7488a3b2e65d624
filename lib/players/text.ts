type Answered = 'live' | 'stored' | 'not_found' | 'nothing';

/** What an empty list says of a player: Invo lists none for nobody too, so only a wallet it answered about tells them apart (trap S1). */
export function sayNoSubscriptions(list: Answered, wallet: Answered): string {
  const listed = list === 'live' ? 'Invo lists none' : 'Invo listed none when it last answered';
  if (wallet === 'live') return list === 'live' ? 'This player exists and has no subscriptions.' : `This player exists; ${listed}.`;
  if (wallet === 'not_found') return `${listed}, and has seen no wallet: this may be nobody at all.`;
  return wallet === 'stored'
    ? `${listed}; whether the player still exists could not be asked.`
    : `${listed}; whether the player exists could not be asked.`;
}

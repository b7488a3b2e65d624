/**
 * Functions whose statements read or change rows of several games on purpose, with the tables that need not name a game and the reason. Locks
 * are never of several games.
 */
export const EVERY_GAME: Readonly<Record<string, { tables: readonly string[]; why: string }>> = {
  listNotices: { tables: ['notice', 'notice_delivery'], why: 'a person reads the notices of all their games in one list' },
  readTasks: { tables: ['notice_delivery'], why: 'the badge counts the unread notices of a person, of all their games' },
  markSeen: { tables: ['notice', 'notice_delivery'], why: 'a person marks what the list showed as read, of all their games' },
  listOutbox: { tables: ['notice', 'notice_delivery'], why: 'the simulation shows the emails of all games' },
  readOperatingFigures: { tables: ['pull', 'refund', 'rate_call'], why: 'monitoring counts the work of all games' },
  listRestorePauses: { tables: ['refund', 'refund_pause'], why: 'a restored database concerns all games' },
  listGamesToCheck: { tables: ['refund'], why: 'a restored database concerns all games' },
  selectStored: { tables: ['known_player'], why: 'a page of a player names the same person in the other games of its reader' },
  listPayoutPauses: { tables: ['payout_pause'], why: 'a restored database concerns all games' },
  listOtherKeys: {
    tables: ['payee_detail', 'payout_sender', 'payout_batch', 'payment_report'],
    why: 'one key seals payment details, files and reports of all games',
  },
  listKnownRuns: { tables: ['payout_run'], why: 'the data folder knows the approved runs of all games' },
  listKnownFiles: { tables: ['payout_batch', 'payout_run'], why: 'the data folder knows the payment files of all games' },
  listChainHeads: { tables: ['snapshot'], why: 'the command prints the newest link of every game' },
};

import { expect, test } from 'vitest';
import { type DigestedLine, textOfLine, textOfReversal } from './digested-rows.ts';

const LINE: DigestedLine = {
  recipient_player_id: '9001',
  seen_snapshot_id: '12',
  resolved: 'true',
  opening_usd: '0.0056',
  earned_usd: '120.3456',
  reversed_usd: '0',
  pinned_usd: '0',
  adjusted_usd: '-1.5',
  returned_usd: '0',
  held_usd: '0',
  minimum_usd: '10',
  together_usd: '118.85',
  payable_usd: '118.85',
  outcome: 'payable',
  also: '',
  detail_no: '3',
};
const AMOUNTS = '0.0056|120.3456|0|0|-1.5|0|0|10|118.85|118.85';

// Stored digests were made from these texts: they never change.
test.each<[string, Partial<DigestedLine>, string]>([
  ['that pays', {}, `9001|12|true|${AMOUNTS}|payable||3`],
  ['from before payment details', { detail_no: null }, `9001|12|true|${AMOUNTS}|payable|`],
  ['whose reasons come from a file', { also: null }, `9001|12|true|${AMOUNTS}|payable||3`],
  [
    'of a recipient no snapshot names',
    { seen_snapshot_id: null, resolved: null, outcome: 'unresolved', also: 'on_hold,no_details', detail_no: null },
    `9001|-|-|${AMOUNTS}|unresolved|on_hold,no_details`,
  ],
])('a line %s is digested as one text', (_, changed, expected) => expect(textOfLine({ ...LINE, ...changed })).toBe(expected));

test.each([
  ['true', '501|9001|t|10|7|4|3'],
  ['false', '501|9001|f|10|7|4|3'],
])('a reversal that is without receipts: %s is digested as one text', (is_coarse, expected) => {
  const amounts = { attributed_usd: '10', reported_usd: '7', taken_before_usd: '4', taken_usd: '3' };
  expect(textOfReversal({ period_id: '501', recipient_player_id: '9001', is_coarse, ...amounts })).toBe(expected);
});

import { expect, test } from 'vitest';
import { continuesAtInvo, EMPTY_REPLY, listOptions, onlyMatch, type SearchReply } from './search-reply.ts';

const PLAYER = { href: '/demo/players/9009', title: 'Halcyon Drift', note: 'player 9009' };
const PERIOD = { href: '/demo/periods/9009', title: 'Witness pass', note: 'period 9009' };
const reply = (changed: Partial<SearchReply>): SearchReply => ({ ...EMPTY_REPLY, matches: [PLAYER], canAskInvo: true, ...changed });

test.each<[string, Partial<SearchReply>, boolean]>([
  ['a number with a local player and no local period', { mayBeMore: true }, true],
  ['a number with a local period', {}, false],
  ['an id without a local match', { matches: [] }, true],
  ['an id without a local match that Invo can’t be searched by', { matches: [], canAskInvo: false }, false],
])('Enter on %s continues at Invo: %s', (_, changed, wasInvoCalled) => {
  expect(continuesAtInvo(reply(changed))).toBe(wasInvoCalled);
});

test('Enter opens the only match, lists two, and opens nothing after an error', () => {
  expect(onlyMatch(reply({}))).toBe(PLAYER);
  expect(onlyMatch(reply({ matches: [PERIOD, PLAYER] }))).toBeNull();
  expect(onlyMatch(reply({ isError: true }))).toBeNull();
  expect(onlyMatch(reply({ matches: [] }))).toBeNull();
});

test('the options are the matches, then Invo, then the other games when Invo has none in this one', () => {
  expect(optionsOf({ matches: [PLAYER], canAskInvo: true })).toEqual(['Halcyon Drift: open /demo/players/9009', 'Search Invo: ask Invo']);
  expect(optionsOf({ isError: true, canAskInvo: true })).toEqual(['Try Invo again: ask Invo']);
  expect(optionsOf({ isNotFound: true })).toEqual(['Search in Aurora: search in aurora']);
  expect(optionsOf({})).toEqual([]);
});

function optionsOf(changed: Partial<SearchReply>): string[] {
  const done: string[] = [];
  const options = listOptions(
    { ...EMPTY_REPLY, ...changed },
    {
      others: [{ slug: 'aurora', label: 'Aurora' }],
      open: (href) => done.push(`open ${href}`),
      askInvo: () => done.push('ask Invo'),
      searchIn: (slug) => done.push(`search in ${slug}`),
    },
  );
  for (const option of options) option.choose();
  return options.map(({ title }, index) => `${title}: ${done[index]}`);
}

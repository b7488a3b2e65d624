/** One match of a search, as text, and the page it opens. */
export interface SearchMatch {
  href: string;
  title: string;
  /** What it is, so that matches with the same id can be distinguished. */
  note: string;
}

/** What the search box shows. `canAskInvo`: Invo wasn't called and can be. `mayBeMore`: Invo may know something else of the same digits. */
export interface SearchReply {
  matches: SearchMatch[];
  /** The result in a sentence; null when the matches say enough. */
  sentence: string | null;
  isError: boolean;
  canAskInvo: boolean;
  mayBeMore: boolean;
  /** Invo's reference to quote. */
  errorId: string | null;
  /** Only on Invo's own answer that this game has none. */
  isNotFound: boolean;
}

export const EMPTY_REPLY: SearchReply = {
  matches: [],
  sentence: null,
  isError: false,
  canAskInvo: false,
  mayBeMore: false,
  errorId: null,
  isNotFound: false,
};

/** Searches one game for what was typed, in local data or at Invo too; or refuses to. */
export type SearchAction = (
  slug: string,
  text: string,
  scope: 'local' | 'invo',
) => Promise<SearchReply | { kind: 'refused'; sentence: string }>;

/** What the search box searches, and how. */
export interface Searched {
  action: SearchAction;
  /** Every game that can be searched. */
  games: { slug: string; label: string }[];
}

/** Whether Enter continues at Invo: nothing local matches, or Invo may know something else of the same digits. */
export function continuesAtInvo({ matches, canAskInvo, mayBeMore }: SearchReply): boolean {
  return canAskInvo && (matches.length === 0 || mayBeMore);
}

/** The match that Enter opens at once, when it is the only one; null: the matches are listed. */
export function onlyMatch({ matches, isError }: SearchReply): SearchMatch | null {
  const [only] = matches;
  return only !== undefined && matches.length === 1 && !isError ? only : null;
}

/** An option under the search box: a match to open, or a further search. */
export interface SearchOption {
  title: string;
  note: string;
  /** The page it opens; null: a further search. */
  href: string | null;
  choose: () => void;
}

interface SearchSteps {
  /** The games that were not searched. */
  others: { slug: string; label: string }[];
  open: (href: string) => void;
  askInvo: () => void;
  searchIn: (slug: string) => void;
}

/** The options under a reply: the matches, then Invo where it may know more, then the other games when Invo has none in this one. */
export function listOptions(reply: SearchReply, { others, open, askInvo, searchIn }: SearchSteps): SearchOption[] {
  const invo = {
    title: reply.isError ? 'Try Invo again' : 'Search Invo',
    note: 'Local data may be incomplete',
    href: null,
    choose: askInvo,
  };
  return [
    ...reply.matches.map((match) => ({ ...match, choose: () => open(match.href) })),
    ...(reply.canAskInvo ? [invo] : []),
    ...(reply.isNotFound ? others : []).map(({ slug, label }) => ({
      title: `Search in ${label}`,
      note: 'Another game or environment',
      href: null,
      choose: () => searchIn(slug),
    })),
  ];
}

/** Where the box begins when a page sends somebody there: a game, and what to look for in it. */
export interface LookUpStart {
  slug: string;
  text: string;
}

/** A body before it is written out. */
export type Json = { [key: string]: unknown };

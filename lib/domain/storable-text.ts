/** A person's words as a text column can hold them: NUL and lone surrogates become U+FFFD. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

// Control, format, line and private characters, and lone surrogates: they change how a name looks without being seen.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu;
const PICTURES = 0x2400;

/** A name as it is, with every character that would not be seen made visible: a line feed is ␊, others are their code in brackets. */
export function showControls(text: string): string {
  return text.replace(UNSEEN, (character, at: number) => (isJoiner(text, character, at) ? character : pictureOf(character)));
}

/** The joiner inside an emoji of several parts is part of the picture. */
function isJoiner(text: string, character: string, at: number): boolean {
  return character === '\u200D' && /\p{Extended_Pictographic}[\u{1F3FB}-\u{1F3FF}\uFE0F]?$/u.test(text.slice(0, at)) && /^\p{Extended_Pictographic}/u.test(text.slice(at + 1));
}

function pictureOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(PICTURES + code);
  return code === 0x7f ? '␡' : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

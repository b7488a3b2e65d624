// Control, format, line and private characters, and lone surrogates: they change how a name looks without being seen.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u;
const JOINER = '\u200D';
const PICTURES = 0x2400;

/** A name as it is, with every character that would not be seen made visible: a line feed is ␊, others are their code in brackets. */
export function showControls(text: string): string {
  const characters = Array.from(text);
  const show = (character: string, place: number): string => {
    if (!UNSEEN.test(character) || isPart(characters, place)) return character;
    return pictureOf(character.codePointAt(0) ?? 0);
  };
  return characters.map(show).join('');
}

/** The joiner inside an emoji of several parts is part of the picture. */
function isPart(characters: string[], place: number): boolean {
  return characters[place] === JOINER && isEmoji(characters[place - 1]) && isEmoji(characters[place + 1]);
}

// By number and not by property: the server's and the browser's Unicode tables differ.
function isEmoji(character: string | undefined): boolean {
  const code = character?.codePointAt(0) ?? 0;
  return (code >= 0x1f000 && code <= 0x1faff) || (code >= 0x2600 && code <= 0x27bf) || code === 0xfe0f;
}

function pictureOf(code: number): string {
  if (code < 0x20) return String.fromCodePoint(PICTURES + code);
  return code === 0x7f ? '␡' : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

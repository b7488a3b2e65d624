const SHOWN_MAX = 200_000;

/** JSON with line breaks and indents added, and every other character as it came: parsing it would change numbers. Long texts are cut, and say so. */
export function indentJson(text: string): string {
  const source = text.slice(0, SHOWN_MAX);
  let [out, depth, isText] = ['', 0, false];
  const line = (): string => `\n${'  '.repeat(Math.min(40, Math.max(0, depth)))}`;
  for (let index = 0; index < source.length; index += 1) {
    const char = source.charAt(index);
    if (isText) {
      out += char;
      if (char === '\\') out += source.charAt((index += 1));
      else if (char === '"') isText = false;
    } else if (char === '"') {
      isText = true;
      out += char;
    } else if (char === '{' || char === '[') {
      const rest = /^\s*[}\]]/.exec(source.slice(index + 1, index + 200));
      if (rest !== null) {
        out += `${char}${rest[0].trim()}`;
        index += rest[0].length;
      } else {
        depth += 1;
        out += `${char}${line()}`;
      }
    } else if (char === '}' || char === ']') {
      depth -= 1;
      out += `${line()}${char}`;
    } else if (char === ',') out += `,${line()}`;
    else if (char === ':') out += ': ';
    else if (!/\s/.test(char)) out += char;
  }
  return text.length > SHOWN_MAX ? `${out}\n… ${text.length - SHOWN_MAX} more characters` : out;
}

/** Files that hold text or a picture of it, by their first bytes. */
const PACKED = [
  { start: [0x50, 0x4b, 0x03, 0x04], name: 'a workbook or a ZIP archive' },
  { start: [0x1f, 0x8b], name: 'a compressed file' },
  { start: [0xd0, 0xcf, 0x11, 0xe0], name: 'an old workbook' },
  { start: [0x25, 0x50, 0x44, 0x46], name: 'a PDF' },
] as const;

/** What a file is that a person uploads in place of text, such as “a PDF”; null: not recognised. Look before decoding: a small archive may be valid UTF-8. */
export function findPackedName(bytes: Uint8Array): string | null {
  return PACKED.find(({ start }) => start.every((byte, index) => bytes[index] === byte))?.name ?? null;
}

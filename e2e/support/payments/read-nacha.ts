/** The fields of each record of a NACHA file by its first digit: name and length, in order, from the second position on. */
const FIELDS: Readonly<Record<string, readonly [name: string, length: number][]>> = {
  '1': [
    ['priority', 2],
    ['destination', 10],
    ['origin', 10],
    ['date', 6],
    ['time', 4],
    ['modifier', 1],
    ['recordSize', 3],
    ['blockingFactor', 2],
    ['formatCode', 1],
    ['destinationName', 23],
    ['originName', 23],
    ['referenceCode', 8],
  ],
  '5': [
    ['serviceClass', 3],
    ['companyName', 16],
    ['discretionary', 20],
    ['companyId', 10],
    ['entryClass', 3],
    ['description', 10],
    ['descriptiveDate', 6],
    ['effectiveDate', 6],
    ['settlementDate', 3],
    ['originatorStatus', 1],
    ['bank', 8],
    ['batchNumber', 7],
  ],
  '6': [
    ['code', 2],
    ['bank', 8],
    ['checkDigit', 1],
    ['accountNumber', 17],
    ['amount', 10],
    ['identification', 15],
    ['name', 22],
    ['discretionary', 2],
    ['addenda', 1],
    ['trace', 15],
  ],
  '8': [
    ['serviceClass', 3],
    ['entryCount', 6],
    ['hash', 10],
    ['debit', 12],
    ['credit', 12],
    ['companyId', 10],
    ['authentication', 19],
    ['reserved', 6],
    ['bank', 8],
    ['batchNumber', 7],
  ],
  '9': [
    ['batchCount', 6],
    ['blockCount', 6],
    ['entryCount', 8],
    ['hash', 10],
    ['debit', 12],
    ['credit', 12],
    ['reserved', 39],
  ],
};

export interface NachaRecord {
  type: string;
  /** As in the file, spaces and zeros included. */
  fields: Record<string, string>;
}

/** Reads a NACHA file by the positions of its standard. Throws where a record hasn't 94 letters, ends otherwise, or where a block isn't full. */
export function readNacha(file: string): { records: NachaRecord[]; fillers: number } {
  const lines = file.split('\r\n');
  if (lines.pop() !== '' || lines.some((line) => !/^[\x20-\x7e]{94}$/.test(line))) throw new Error('a record without 94 letters and CRLF');
  if (lines.length % 10 !== 0) throw new Error('a block that is not full');
  const written = lines.filter((line) => line !== '9'.repeat(94));
  return { records: written.map(readRecord), fillers: lines.length - written.length };
}

function readRecord(line: string): NachaRecord {
  const type = line.charAt(0);
  const fields: Record<string, string> = {};
  let position = 1;
  for (const [name, length] of FIELDS[type] ?? []) {
    fields[name] = line.slice(position, position + length);
    position += length;
  }
  if (position !== 94) throw new Error(`an unknown record: ${line}`);
  return { type, fields };
}

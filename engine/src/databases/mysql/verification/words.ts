/** Checksums in the SQL of MySQL and MariaDB. */
import type { ChecksumWords } from '../../../ports/verified-table.ts'

export const checksumWords: ChecksumWords = {
  join: (texts) => `CONCAT(${texts.join(', ')})`,
  // Joined as bytes: texts of several character sets would each be converted.
  fields: (texts) => `CONCAT_WS(_binary';', ${texts.join(', ')}, '')`,
  byteLength: (text) => `LENGTH(${text})`,
  hash: (text) => `CAST(CONV(LEFT(MD5(${text}), 16), 16, 10) AS UNSIGNED)`,
  // A sum of integers is an exact decimal.
  sum: (hash) => `CAST(COALESCE(SUM(${hash}), 0) AS CHAR)`,
  count: 'CAST(COUNT(*) AS CHAR)',
  numberText: (number) => `CAST(${number} AS CHAR)`,
  // Bytes, because collations pad texts with blanks.
  ordered: (text) => `CAST(${text} AS BINARY)`,
  orderedConstant: bytes,
  sample: (from, share, condition) =>
    `${from} WHERE RAND() < ${Math.min(1, share)}${condition === null ? '' : ` AND (${condition})`}`,
}

/** As bytes, so that neither the character set of the connection nor its SQL mode matters. */
export function literal(text: string): string {
  return text === '' ? `_utf8mb4''` : `_utf8mb4 ${bytes(text)}`
}

function bytes(text: string): string {
  return text === '' ? `X''` : `X'${Buffer.from(text).toString('hex')}'`
}

/** Checksums in PostgreSQL's SQL. */
import type { ChecksumWords } from '../../../ports/verified-table.ts'
import { quoteText } from '../types.ts'

/** Whole pages are sampled where they are many; in a small table they would be too few, and rows are sampled one by one. */
const pagesShare = 0.002

/** `concat_ws` writes booleans as t and f. @param isUtf8 whether texts are stored in UTF-8; otherwise they are converted before they are hashed or ordered */
export function checksumWords(isUtf8: boolean): ChecksumWords {
  const bytes = (text: string): string => (isUtf8 ? text : `convert_to(${text}, 'UTF8')`)
  return {
    join: (texts) => texts.join(' || '),
    fields: (texts) => `concat_ws(';', ${texts.join(', ')}, '')`,
    byteLength: (text) => `octet_length(${bytes(text)})`,
    hash: (text) => `('x' || left(md5(${bytes(text)}), 16))::bit(64)::bigint`,
    sum: (hash) => `coalesce(sum(${hash}), 0)::text`,
    count: 'count(*)::text',
    numberText: (number) => `(${number})::text`,
    ordered: (text) => (isUtf8 ? `(${text})::text COLLATE "C"` : bytes(`(${text})::text`)),
    orderedConstant: (text) => bytes(quoteText(text)),
    sample: (from, share, condition) =>
      `${from} TABLESAMPLE ${share < pagesShare ? 'SYSTEM' : 'BERNOULLI'} (${Math.min(100, share * 100)})${condition === null ? '' : ` WHERE ${condition}`}`,
  }
}

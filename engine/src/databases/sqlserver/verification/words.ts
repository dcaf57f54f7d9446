/**
 * Checksums in the SQL of SQL Server. Texts are converted to UTF-8, for which servers have a collation since SQL Server 2019.
 * https://learn.microsoft.com/sql/relational-databases/collations/collation-and-unicode-support
 * https://learn.microsoft.com/sql/t-sql/functions/hashbytes-transact-sql
 */
import type { ChecksumWords } from '../../../ports/verified-table.ts'

const utf8 = 'COLLATE Latin1_General_100_BIN2_UTF8'
/** CONCAT is as wide as its widest argument, and counts null as empty. */
const concat = (texts: readonly string[]): string => `CONCAT(CONVERT(varchar(max), ''), ${texts.join(', ')})`

export const checksumWords: ChecksumWords = {
  join: concat,
  fields: (texts) => concat(texts.map((text) => `(${text}) + ';'`)),
  byteLength: (text) => `CONVERT(varchar(20), DATALENGTH(${text}))`,
  hash: (text) => `CONVERT(bigint, SUBSTRING(HASHBYTES('MD5', ${text}), 1, 8))`,
  sum: (hash) => `CONVERT(varchar(40), COALESCE(SUM(CONVERT(decimal(38, 0), ${hash})), 0))`,
  count: 'CONVERT(varchar(20), COUNT_BIG(*))',
  numberText: (number) => `CONVERT(varchar(20), ${number})`,
  // Bytes, because texts are padded with blanks.
  ordered: (text) => `CONVERT(varbinary(max), ${text})`,
  orderedConstant: (text) => `0x${Buffer.from(text).toString('hex')}`,
  sample: (from, share, condition) =>
    `${from} TABLESAMPLE SYSTEM (${Math.min(100, share * 100)} PERCENT)${condition === null ? '' : ` WHERE ${condition}`}`,
}

/** An expression of a text, in UTF-8. */
export function utf8Expression(text: string): string {
  return `CONVERT(varchar(max), CONVERT(nvarchar(max), ${text}) ${utf8})`
}

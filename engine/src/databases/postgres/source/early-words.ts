/** How PostgreSQL writes conditions that leave out rows early. */
import type pg from 'pg'
import { type EarlyWords, plainNumber } from '../../sql-source/early-conditions.ts'
import type { SourceRelation } from './discover.ts'

/** A value of `character(n)` loses its blanks when it is compared with a text, so only other texts are compared. */
const plainText = /^(?:text|character varying(?:\(\d+\))?)$/u

export function earlyWords(client: pg.Client, { stream, expressions, types }: SourceRelation): EarlyWords<number> {
  const { columns } = stream.table
  return {
    columns: columns.map((_, at) => at),
    describe: (at) => columns[at] ?? { name: '', type: { kind: 'json' } },
    value: (at) => `(${expressions[at]})`,
    number: (_at, text) => plainNumber(text),
    day: (text) => `'${text}'::date`,
    text: (at, text) => (plainText.test(types[at] ?? '') ? client.escapeLiteral(text) : null),
  }
}

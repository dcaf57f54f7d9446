/** Documents with lines, tax and a total, which post their lines and their tax to one side and their total to the other. */
import type { StatementNames } from '../../../ports/view-names.ts'
import { type Heading, inBase, netOf, type Posting } from './posting.ts'

/** The document is `d` in every expression, its line `l`. */
export interface Priced {
  readonly heading: Heading
  /** Names of the tables of the documents and of their lines, and of the column that joins them. */
  readonly table: string
  readonly lines: string
  readonly key: string
  /** An expression: 1 where the lines are debited, -1 where they are credited. */
  readonly sign: string
  readonly rate: string
  /** Which documents post. */
  readonly where: string
  /** What else the heading needs, after the document's table: `JOIN …`. */
  readonly joined?: string
  /** Where the total goes. */
  readonly counter: Posting['account']
}

/** The lines, the tax, the total, and what rounding leaves of them. */
export function postPriced(words: StatementNames, priced: Priced): readonly Posting[] {
  const { heading, sign, rate, counter } = priced
  const total = inBase('COALESCE(d.total, 0)', rate)
  const tax = inBase('COALESCE(d.total_tax, 0)', rate)
  const document = documentsOf(words, priced)
  const posting = (account: Posting['account'], amount: string, from: string): Posting => ({
    ...heading,
    account,
    amount,
    from,
  })
  return [
    posting(accountOfLine, `${sign} * ${inBase(netOf('l', 'd'), rate)}`, linesOf(words, priced)),
    posting({ part: `'GST'` }, `${sign} * ${tax}`, `${document} WHERE ${priced.where}`),
    posting(counter, `-1 * ${sign} * ${total}`, `${document} WHERE ${priced.where}`),
    posting(
      { part: `'ROUNDING'` },
      `${sign} * (${total} - ${tax} - COALESCE(n.net, 0))`,
      `${document} LEFT JOIN (${netSums(words, priced)}) AS n ON n.id = d.${priced.key} WHERE ${priced.where}`,
    ),
  ]
}

function documentsOf(words: StatementNames, { table, joined = '' }: Priced): string {
  return `${words.table(table)} AS d ${joined}`
}

function linesOf(words: StatementNames, priced: Priced): string {
  const { lines, key, where } = priced
  return `${documentsOf(words, priced)} JOIN ${words.table(lines)} AS l ON l.${key} = d.${key} ${codedAccount(words)} WHERE ${where}`
}

function netSums(words: StatementNames, priced: Priced): string {
  const { lines, key, rate, where } = priced
  return `SELECT d.${key} AS id, SUM(${inBase(netOf('l', 'd'), rate)}) AS net
    FROM ${documentsOf(words, priced)} JOIN ${words.table(lines)} AS l ON l.${key} = d.${key} WHERE ${where} GROUP BY d.${key}`
}

/** Lines that were written long ago name their account by its code alone. */
export const accountOfLine = { id: 'COALESCE(l.account_id, coded.account_id)' } as const

export function codedAccount(words: StatementNames): string {
  return `LEFT JOIN ${words.table('account')} AS coded ON coded.code = l.account_code AND l.account_id IS NULL`
}

/** Postings of documents with lines, tax and a total: lines and tax on one side, the total on the other. */
import type { StatementNames } from '../../../ports/view-names.ts'
import { type PostingHeading, toBaseCurrency, netOf, type LedgerPosting } from './posting.ts'

/** The document is `d` in every expression, its line `l`. */
export interface PricedDocument {
  readonly heading: PostingHeading
  /** The tables of documents and lines, and the column that joins them. */
  readonly table: string
  readonly lines: string
  readonly key: string
  /** SQL expression: 1 if the lines are debited, -1 if they are credited. */
  readonly sign: string
  readonly rate: string
  /** Condition for documents that post. */
  readonly where: string
  /** Further joins that the heading needs: `JOIN …`. */
  readonly joined?: string
  /** The account of the total. */
  readonly counter: LedgerPosting['account']
}

/** Postings of lines, tax, total and rounding difference. */
export function postPriced(words: StatementNames, priced: PricedDocument): readonly LedgerPosting[] {
  const { heading, sign, rate, counter } = priced
  const total = toBaseCurrency('COALESCE(d.total, 0)', rate)
  const tax = toBaseCurrency('COALESCE(d.total_tax, 0)', rate)
  const document = documentsOf(words, priced)
  const posting = (account: LedgerPosting['account'], amount: string, from: string): LedgerPosting => ({
    ...heading,
    account,
    amount,
    from,
  })
  return [
    posting(accountOfLine, lineAmount(priced), linesOf(words, priced)),
    posting({ systemAccount: `'GST'` }, `${sign} * ${tax}`, `${document} WHERE ${priced.where}`),
    posting(counter, `-1 * ${sign} * ${total}`, `${document} WHERE ${priced.where}`),
    posting(
      { systemAccount: `'ROUNDING'` },
      `${sign} * (${total} - ${tax} - COALESCE(n.net, 0))`,
      `${document} LEFT JOIN (${netSums(words, priced)}) AS n ON n.id = d.${priced.key} WHERE ${priced.where}`,
    ),
  ]
}

function documentsOf(words: StatementNames, { table, joined = '' }: PricedDocument): string {
  return `${words.table(table)} AS d ${joined}`
}

function linesOf(words: StatementNames, priced: PricedDocument): string {
  return `${joinedLines(words, priced)} WHERE ${priced.where}`
}

/** Documents `d` with their lines `l`, and accounts found by code. */
export function joinedLines(words: StatementNames, priced: PricedDocument): string {
  const { lines, key } = priced
  return `${documentsOf(words, priced)} JOIN ${words.table(lines)} AS l ON l.${key} = d.${key} ${codedAccount(words)}`
}

/** What a line posts in base currency, debit positive. */
export function lineAmount({ sign, rate }: PricedDocument): string {
  return `${sign} * ${toBaseCurrency(netOf('l', 'd'), rate)}`
}

function netSums(words: StatementNames, priced: PricedDocument): string {
  const { lines, key, rate, where } = priced
  return `SELECT d.${key} AS id, SUM(${toBaseCurrency(netOf('l', 'd'), rate)}) AS net
    FROM ${documentsOf(words, priced)} JOIN ${words.table(lines)} AS l ON l.${key} = d.${key} WHERE ${where} GROUP BY d.${key}`
}

/** Old lines identify their account only by its code. */
export const accountOfLine = { id: 'COALESCE(l.account_id, coded.account_id)' } as const

export function codedAccount(words: StatementNames): string {
  return `LEFT JOIN ${words.table('account')} AS coded ON coded.code = l.account_code AND l.account_id IS NULL`
}

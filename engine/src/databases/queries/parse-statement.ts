/**
 * Finds the one statement of a text that a person has written. This gives clear messages early; rights and read-only transactions
 * protect the data.
 */
import { type QueryDialect, QueryRefused } from '../../ports/query.ts'
import { scanSql, type SqlToken } from './scan-sql.ts'

export interface ParsedStatement {
  /** From the start of the text to the end of the statement, so that positions in it are positions in the text. */
  readonly text: string
  /** The first word, in lower case. */
  readonly keyword: string
}

/** The words that begin a statement which reads. */
const readingWords: Readonly<Record<QueryDialect, readonly string[]>> = {
  postgres: ['select', 'with', 'values', 'table', 'explain', 'show'],
  mysql: ['select', 'with', 'values', 'table', 'explain', 'describe', 'desc', 'show'],
  sqlserver: ['select', 'with'],
}

/** Throws `QueryRefused`. */
export function parseStatement(dialect: QueryDialect, text: string): ParsedStatement {
  const tokens = scanSql(dialect, text)
  const first = tokens.find(({ text: token }) => token !== '(' && token !== ';')
  if (first === undefined)
    throw new QueryRefused('There is no statement to run. Write a query that begins with SELECT.')
  const separator = tokens.find((token, at) => token.text === ';' && at > tokens.indexOf(first))
  const second = tokens.find(({ text: token, at }) => token !== ';' && separator !== undefined && at > separator.at)
  if (second !== undefined) throw severalStatements(second.at)
  const keyword = first.text.toLowerCase()
  if (first.kind !== 'word' || !readingWords[dialect].includes(keyword)) throw notReading(dialect, first)
  const forbidden = tokens.find((token, at) => isForbidden(dialect, token, tokens[at + 1]))
  if (forbidden !== undefined) throw forbiddenWord(dialect, forbidden)
  const leading = tokens.filter(({ text: token, at }) => token === ';' && at < first.at)
  return { text: blank(text.slice(0, separator?.at), leading), keyword }
}

export function severalStatements(position?: number): QueryRefused {
  return new QueryRefused('Run one statement at a time: a second one begins here.', {
    position,
    hint: 'Select the statement that you want to run, then run again.',
  })
}

function notReading(dialect: QueryDialect, { text, at }: SqlToken): QueryRefused {
  const allowed = readingWords[dialect].map((word) => word.toUpperCase())
  return new QueryRefused(`Only statements that read can run here: they begin with ${allowed.join(', ')}.`, {
    position: at,
    hint: `This one begins with ${text.slice(0, 30)}.`,
  })
}

/** SQL Server separates statements without a sign, so any word that begins another statement counts. All of them are reserved. */
const sqlServerWords = new Set(
  (
    'alter backup begin bulk close commit create dbcc deallocate declare delete deny drop exec execute fetch grant if insert into kill ' +
    'merge opendatasource openquery openrowset print raiserror read readtext reconfigure restore return revert revoke rollback save set ' +
    'shutdown truncate update updatetext use waitfor while writetext goto'
  ).split(' '),
)
/** A result goes to a file or a variable. */
const mysqlWords = new Set(['into', 'outfile', 'dumpfile'])

function isForbidden(dialect: QueryDialect, { kind, text }: SqlToken, next: SqlToken | undefined): boolean {
  const word = text.toLowerCase()
  if (dialect === 'mysql') return kind === 'comment' || (kind === 'word' && mysqlWords.has(word))
  if (dialect !== 'sqlserver' || kind !== 'word' || !sqlServerWords.has(word)) return false
  const following = next?.text.toLowerCase()
  // `MERGE JOIN` is a hint, and `OFFSET … FETCH NEXT` a page.
  if (word === 'merge') return following !== 'join' && following !== 'union'
  if (word === 'fetch') return following !== 'next' && following !== 'first'
  return true
}

function forbiddenWord(dialect: QueryDialect, { kind, text, at }: SqlToken): QueryRefused {
  if (kind === 'comment')
    return new QueryRefused('Comments that the server would run (/*! … */) are not allowed here.', { position: at })
  const word = text.toUpperCase()
  const reason =
    dialect === 'mysql'
      ? `${word} is not allowed here: the result must come back.`
      : `${word} is not allowed here: only one statement that reads can run.`
  return new QueryRefused(reason, {
    position: at,
    hint: dialect === 'mysql' ? undefined : `If it is the name of a column, write [${text}].`,
  })
}

/** Replaces empty statements in front by spaces, so that positions stay. */
function blank(text: string, tokens: readonly SqlToken[]): string {
  return tokens.reduce((result, { at }) => `${result.slice(0, at)} ${result.slice(at + 1)}`, text)
}

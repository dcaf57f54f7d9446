import { type RawBuilder, sql } from 'kysely'

/** Whether the text contains the search term, ignoring case. An empty term matches every text. */
export function matchesSearch(text: RawBuilder<unknown>, search = ''): RawBuilder<boolean> {
  const term = escapePattern(search.trim())
  return term === '' ? sql<boolean>`true` : sql<boolean>`(${text}) ILIKE ${`%${term}%`}`
}

/** Whether the text contains every word of the term, in any order, ignoring case. */
export function matchesWords(text: RawBuilder<unknown>, search: string): RawBuilder<boolean> {
  return sql.join(
    splitWords(search).map((word) => matchesSearch(text, word)),
    sql` AND `,
  )
}

/** Whether the text contains one of the words of the term, ignoring case. */
export function matchesOneWord(text: RawBuilder<unknown>, search: string): RawBuilder<boolean> {
  const matches = splitWords(search).map((word) => matchesSearch(text, word))
  return sql<boolean>`(${sql.join(matches, sql` OR `)})`
}

/**
 * How well a name matches the term; the best first. 0: it is the name. 1: the name begins with it. 2: a later word of
 * the name begins with it. 3: any other match.
 */
export function rankMatch(name: RawBuilder<unknown>, search: string): RawBuilder<number> {
  const term = separateWords(search.trim().toLowerCase())
  const plain = sql`translate(lower(${name}), ${separators}, ${' '.repeat(separators.length)})`
  return sql<number>`CASE WHEN ${plain} = ${term} THEN 0
    WHEN ${plain} LIKE ${`${escapePattern(term)}%`} THEN 1
    WHEN ${plain} LIKE ${`% ${escapePattern(term)}%`} THEN 2
    ELSE 3 END`
}

const separators = '-_./'

function separateWords(text: string): string {
  return text.replaceAll(/[-_./]/gu, ' ')
}

function splitWords(search: string): readonly string[] {
  return search.trim().split(/\s+/u)
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/gu, '\\$&')
}

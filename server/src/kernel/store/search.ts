import { type RawBuilder, sql } from 'kysely'

/** Whether the text contains the search term, ignoring case. An empty term matches every text. */
export function matchesSearch(text: RawBuilder<unknown>, search = ''): RawBuilder<boolean> {
  const term = escapePattern(search.trim().toLowerCase())
  // ILIKE would take twice as long, because it lowers the pattern, too, for every row.
  return term === '' ? sql<boolean>`true` : sql<boolean>`lower(${text}) LIKE ${`%${term}%`}`
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
  // Each part of a row's rank lowers the name again, so there is one.
  return sql<number>`CASE strpos(' ' || ${plain}, ${` ${term}`})
    WHEN 0 THEN 3
    WHEN 1 THEN CASE length(${name}) WHEN ${[...term].length} THEN 0 ELSE 1 END
    ELSE 2 END`
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

import { type RawBuilder, sql } from 'kysely'

/** Whether the text contains the search term, ignoring case. An empty term matches every text. */
export function matchesSearch(text: RawBuilder<unknown>, search = ''): RawBuilder<boolean> {
  const term = search.trim().replaceAll(/[\\%_]/gu, '\\$&')
  return term === '' ? sql<boolean>`true` : sql<boolean>`(${text}) ILIKE ${`%${term}%`}`
}

const pageSizeDefault = 50

export interface PageQuery {
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
}

/** False if neither page nor page size is given: then a list is complete. */
export function isPaged({ page, pageSize }: PageQuery): boolean {
  return page !== undefined || pageSize !== undefined
}

/** The rows of the requested page. Default: the first fifty. */
export function pageOf({ page = 1, pageSize = pageSizeDefault }: PageQuery): {
  readonly limit: number
  readonly offset: number
} {
  return { limit: pageSize, offset: (page - 1) * pageSize }
}

interface LimitedQuery<Query> {
  limit(rows: number): Query
  offset(rows: number): Query
}

/** Limits the rows of a paged list. */
export function onePage<Query extends LimitedQuery<Query>>(rows: Query, query: PageQuery): Query {
  if (!isPaged(query)) return rows
  const { limit, offset } = pageOf(query)
  return rows.limit(limit).offset(offset)
}

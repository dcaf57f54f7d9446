const pageSizeDefault = 50

export interface PageQuery {
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
}

/** The rows of the requested page. Default: the first fifty. */
export function pageOf({ page = 1, pageSize = pageSizeDefault }: PageQuery): {
  readonly limit: number
  readonly offset: number
} {
  return { limit: pageSize, offset: (page - 1) * pageSize }
}

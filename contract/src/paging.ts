import * as z from 'zod'

/** Pagination parameters of long lists. */
export const paging = {
  page: z.coerce.number<number>().int().min(1).optional(),
  pageSize: z.coerce.number<number>().int().min(1).max(1_000).optional(),
}

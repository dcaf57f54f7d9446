import * as z from 'zod'
import { orgQuery } from './id.ts'

/** Pagination parameters of long lists. */
export const paging = {
  page: z.coerce.number<number>().int().min(1).optional(),
  pageSize: z.coerce.number<number>().int().min(1).max(1_000).optional(),
}

/** A list that is complete without `page` and `pageSize`; `X-Total-Count` returns the total. */
export const ListQuery = orgQuery.extend({
  search: z.string().max(200).optional(),
  sort: z.enum(['asc', 'desc']).optional(),
  ...paging,
})
export type ListQuery = z.infer<typeof ListQuery>

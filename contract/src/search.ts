/** The search behind the command palette: records of an organisation by name, as far as the caller may see them. */
import * as z from 'zod'
import { route } from './route.ts'
import { runStatuses } from './runs.ts'
import { organisationInQuery } from './scope.ts'
import { orgQuery } from './id.ts'

/** In the order in which hits of equal rank are listed. */
export const searchKinds = [
  'connector',
  'table',
  'run',
  'area',
  'subarea',
  'version',
  'helperTable',
  'entity',
  'group',
  'person',
] as const
export type SearchKind = (typeof searchKinds)[number]

/** The most hits of one kind in a reply. */
export const searchHitsPerKind = 6

const SearchQuery = orgQuery.extend({
  /** Every word must occur in the name. The words `run` and `failed`, `completed` and so on find runs. */
  search: z.string().max(200),
})

export const SearchHit = z.object({
  Kind: z.enum(searchKinds),
  /** Unique within its kind. Of a table, the name of the stream, which is unique within the connector. */
  Id: z.string(),
  /** Of a run, the name of its connector. */
  Name: z.string(),
  /** Distinguishes records of one name: the connector of a table, the address of a person if the caller may see it. */
  Detail: z.string().nullable(),
  /** Of connectors, tables and runs. */
  Connector: z.object({ Id: z.uuid(), Type: z.string() }).nullable(),
  Run: z.object({ Status: z.enum(runStatuses), QueuedAtUtc: z.iso.datetime() }).nullable(),
})
export type SearchHit = z.infer<typeof SearchHit>

export const search = {
  find: route({
    method: 'GET',
    path: '/search',
    summary: 'Connectors, tables, runs, planning records, groups and people by name, best match first.',
    allow: 'listConnectors',
    scope: organisationInQuery,
    query: SearchQuery,
    reply: z.array(SearchHit).max(searchHitsPerKind * searchKinds.length),
  }),
} as const

/**
 * The organisations of the person. A provider can have more than the portal loads: then the server searches them, and an organisation
 * that is not among the loaded ones is read by its id.
 */
import type { Organisation } from '@tributary/contract/organisations'
import { organisationsLoadedMax, searchDebounceMs } from '@tributary/contract/limits'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { call } from '../call.ts'
import { organisationList } from './common-queries.ts'

/** More are found by a longer term. */
const foundMax = 100

/** True if the server may have more organisations than these. */
export function isCutOff(organisations: readonly Organisation[]): boolean {
  return organisations.length >= organisationsLoadedMax
}

/** The organisations whose name contains the term. Of a complete list all, so that the caller can search it without a request. */
export function useFoundOrganisations(term: string): readonly Organisation[] {
  const list = useQuery(organisationList).data ?? []
  const isBeyond = isCutOff(list)
  const [search] = useDebouncedValue(term.trim(), searchDebounceMs)
  const found = useQuery({
    queryKey: ['organisations', 'search', search],
    queryFn: ({ signal }) => call('GET /organisations', { query: { search, pageSize: foundMax }, signal }),
    enabled: isBeyond && search !== '',
    placeholderData: keepPreviousData,
  })
  if (!isBeyond) return list
  return search === '' ? list.slice(0, foundMax) : (found.data ?? [])
}

interface OrganisationsById {
  readonly organisations: readonly Organisation[]
  readonly isPending: boolean
  readonly error: unknown
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u

/** Those of the ids that the loaded list lacks because it is cut off. */
export function useOrganisationsBeyond(
  list: readonly Organisation[],
  ids: readonly (string | null | undefined)[],
): OrganisationsById {
  const wanted = new Set(ids.map((id) => id?.toLowerCase() ?? ''))
  const missing = isCutOff(list) ? [...wanted].filter((id) => isMissing(list, id)) : []
  const found = useQueries({ queries: missing.map(organisationById) })
  return {
    organisations: found.flatMap(({ data = [] }) => data),
    isPending: found.some(({ isPending }) => isPending),
    error: found.find(({ error }) => error !== null)?.error ?? null,
  }
}

function isMissing(list: readonly Organisation[], id: string): boolean {
  return uuid.test(id) && !list.some(({ Id }) => Id.toLowerCase() === id)
}

function organisationById(id: string) {
  return queryOptions({
    queryKey: ['organisations', 'by id', id],
    queryFn: ({ signal }) => call('GET /organisations', { query: { id }, signal }),
  })
}

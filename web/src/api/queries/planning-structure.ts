/**
 * The planning structure as its links show it: complete lists without what is archived. All keys begin alike, so that a change
 * of one record or link makes every list stale that may show it.
 */
import { queryOptions } from '@tanstack/react-query'
import { call } from '../call.ts'

export const everyStructureList = (orgId: string) => ['structure', orgId] as const

export const linkedAreas = (orgId: string) =>
  queryOptions({
    queryKey: [...everyStructureList(orgId), 'linked', 'areas'],
    queryFn: ({ signal }) => call('GET /areas', { query: { orgId }, signal }),
  })

export const linkedSubareas = (orgId: string) =>
  queryOptions({
    queryKey: [...everyStructureList(orgId), 'linked', 'subareas'],
    queryFn: ({ signal }) => call('GET /subareas', { query: { orgId }, signal }),
  })

/**
 * The planning structure for the link editor: complete lists without archived records. All keys have the same prefix,
 * so that a change of one record or link invalidates every list that may show it.
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

/**
 * The planning structure for the link editor: complete lists without archived records. All keys have the same prefix,
 * so that a change of one record or link invalidates every list that may show it.
 */
import { callQuery } from '../call-query.ts'
import { useOrganisationId } from '../session/workspace.ts'
import { useInvalidate } from '../use-invalidate.ts'

export const everyStructureList = (orgId: string) => ['structure', orgId] as const

export const linkedAreas = (orgId: string) =>
  callQuery([...everyStructureList(orgId), 'linked', 'areas'], 'GET /areas', { query: { orgId } })

export const linkedSubareas = (orgId: string) =>
  callQuery([...everyStructureList(orgId), 'linked', 'subareas'], 'GET /subareas', { query: { orgId } })

/** The numbers and gaps of the whole structure; for those who may edit it. */
export const structureMap = (orgId: string) =>
  callQuery([...everyStructureList(orgId), 'map'], 'GET /structure-map', { query: { orgId } })

/** Returns a function that refreshes every list that may show a changed record or link. */
export function useRefreshStructure(): () => Promise<void> {
  const invalidate = useInvalidate()
  const orgId = useOrganisationId()
  return () => invalidate({ queryKey: everyStructureList(orgId) })
}

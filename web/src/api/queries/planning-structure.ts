/**
 * The planning structure for the link editor: complete lists without archived records. All keys have the same prefix,
 * so that a change of one record or link invalidates every list that may show it.
 */
import { callQuery } from '../call-query.ts'

export const everyStructureList = (orgId: string) => ['structure', orgId] as const

export const linkedAreas = (orgId: string) =>
  callQuery([...everyStructureList(orgId), 'linked', 'areas'], 'GET /areas', { query: { orgId } })

export const linkedSubareas = (orgId: string) =>
  callQuery([...everyStructureList(orgId), 'linked', 'subareas'], 'GET /subareas', { query: { orgId } })

/** The organisations of the user. Of more than the pane loads, the server finds one by its name. */
import type { Organisation } from '@tributary/contract/organisations'
import { organisationsLoadedMax } from '@tributary/contract/limits'
import { call } from './call.ts'

/** Enough to choose from. A longer term finds others. */
const foundMax = 100

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu

/** The first ones by name, and those with these ids, with which the pane may begin. */
export async function listOrganisations(
  ids: readonly (string | null)[],
  signal: AbortSignal,
): Promise<readonly Organisation[]> {
  const first = await call('GET /organisations', { query: { pageSize: organisationsLoadedMax }, signal })
  if (!isCutOff(first)) return first
  const missing = new Set(ids.filter((id) => id !== null && uuid.test(id) && !first.some(({ Id }) => Id === id)))
  const others = await Promise.all(
    [...missing].map((id) => call('GET /organisations', { query: { id: id ?? '' }, signal })),
  )
  return [...others.flat(), ...first]
}

export function findOrganisations(search: string, signal: AbortSignal): Promise<readonly Organisation[]> {
  return call('GET /organisations', { query: { search, pageSize: foundMax }, signal })
}

/** Whether the server may have more organisations than these. */
export function isCutOff(organisations: readonly Organisation[]): boolean {
  return organisations.length >= organisationsLoadedMax
}

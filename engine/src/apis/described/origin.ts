/** The account of a connection, by values that the API gives. */
import { type DescribedApi, misfit } from './calls.ts'
import type { DescriptionParts } from './description/schema.ts'
import { pointerReader } from './pointer.ts'

/** Undefined if the description does not say how to find it. */
export async function readOrigin(
  { origin }: Pick<DescriptionParts, 'origin'>,
  api: DescribedApi,
): Promise<string | undefined> {
  if (origin === undefined) return undefined
  const parts: string[] = []
  for (const { path, at } of origin) {
    const value = pointerReader(at)((await api.get(api.withSettings({ path, query: {} }))).json)
    if (value === undefined || value === null)
      throw misfit({ api, stream: path }, { page: 1, pointer: at, found: value, wanted: 'what identifies the account' })
    parts.push(String(value))
  }
  return parts.join(' ')
}

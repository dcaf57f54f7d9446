/** How an installation proves that it is the one whose keys somebody holds, without telling anything of them. */
import { createHmac } from 'node:crypto'
import type { ServerKeys } from './server-keys.ts'

export const provingPath = '/healthz/installation'

/** @param challenge made at random by who asks, for this one answer. */
export async function proveInstallation(keys: ServerKeys, challenge: string): Promise<string> {
  const { key } = await keys.newest('installation')
  return createHmac('sha256', key).update(challenge).digest('base64url')
}

/** Proves to a holder of the same keys that this is their installation, without revealing the keys. */
import { createHmac } from 'node:crypto'
import type { ServerKeys } from './server-keys.ts'

export const installationProofPath = '/healthz/installation'

/** @param challenge a random value of the caller, used once */
export async function proveInstallation(keys: ServerKeys, challenge: string): Promise<string> {
  const { key } = await keys.newest('installation')
  return createHmac('sha256', key).update(challenge).digest('base64url')
}

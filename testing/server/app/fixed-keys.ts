/** Server keys without a store, for modules that need only the keys. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { PurposeKey, ServerKeys } from '../../../server/src/security/keys/server-keys.ts'

export interface FixedKeys extends Pick<ServerKeys, 'newest' | 'find'> {
  /** Adds a newer key. */
  rotate(): void
  retire(id: string): void
}

export function fixedKeys(): FixedKeys {
  const make = (): PurposeKey => ({ id: randomUUID(), key: randomBytes(32) })
  let keys = [make()]
  return {
    async newest() {
      const [newest] = keys
      if (newest === undefined) throw new Error('All keys are retired.')
      return newest
    },
    find: async (_, id) => keys.find((key) => key.id === id)?.key,
    rotate: () => void (keys = [make(), ...keys]),
    retire: (id) => void (keys = keys.filter((key) => key.id !== id)),
  }
}

/** Rotates keys while the server is running. */
import type { SecurityServices } from '../security-services.ts'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { insertDataKey } from '../secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'
import { reEncryptAll, type ReEncryptionServices } from './re-encrypt-secrets.ts'
import { insertServerKey, type RootKeyKind } from './server-keys.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

export type KeyRotationServices = ReEncryptionServices & Pick<SecurityServices, 'audit' | 'serverKeys'>

/** Creates the key for new signatures or passwords; former keys still verify. Returns the new key's id. */
export async function rotateServerKey(
  services: KeyRotationServices,
  auditContext: AuditContext,
  root: RootKeyKind,
): Promise<string> {
  // Across, here and below: keys belong to the platform.
  const { audit, serverKeys, store } = services
  const id = await store.across(async (db) => {
    await lockForTransaction(db, 'serverKeys')
    const made = await insertServerKey(db, services, root)
    await audit.record(db, auditContext, keyEvent('crypto.key_rotated', { root, id: made }))
    return made
  })
  serverKeys.invalidate()
  return id
}

/**
 * Replaces the data key of each organisation that has one, and of the platform, and encrypts the values again. Returns the
 * number of keys and of values. @param of one organisation; null: the platform; 'all'
 */
export async function rotateDataKeys(
  services: KeyRotationServices,
  auditContext: AuditContext,
  of: string | null | 'all',
): Promise<{ readonly keys: number; readonly values: number }> {
  const owners = of === 'all' ? await services.store.across(listOwners) : [of]
  for (const owner of owners) await services.store.across((db) => replaceDataKey(db, services, auditContext, owner))
  return { keys: owners.length, values: await reEncryptAll(services) }
}

async function listOwners(db: Db): Promise<readonly (string | null)[]> {
  const rows = await db.selectFrom('dataKey').select('organisationId').where('retiredAt', 'is', null).execute()
  return rows.map(({ organisationId }) => organisationId)
}

/** Waits for transactions that are encrypting with the former key: they hold a lock on its row. */
async function replaceDataKey(
  db: Db,
  services: KeyRotationServices,
  auditContext: AuditContext,
  organisationId: string | null,
): Promise<void> {
  // Before any row lock, as when keys are wrapped again.
  await lockForTransaction(db, 'serverKeys')
  await db
    .updateTable('dataKey')
    .set({ retiredAt: isoTime(services.clock.now()) })
    .where('organisationId', organisationId === null ? 'is' : '=', organisationId)
    .where('retiredAt', 'is', null)
    .execute()
  await insertDataKey(db, services, organisationId)
  await services.audit.record(db, auditContext, keyEvent('crypto.key_rotated', { root: 'data', organisationId }))
}

export function keyEvent(
  action: 'crypto.key_rotated' | 'crypto.key_retired',
  detail: Readonly<Record<string, unknown>>,
) {
  return { organisationId: null, action, detail } as const
}

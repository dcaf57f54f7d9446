/** New keys in the place of old ones, while everything runs. */
import type { Audit } from '../audit/audit.ts'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { insertDataKey } from '../secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'
import { resealAll, type ReEncryptionServices } from './re-encrypt-secrets.ts'
import { type Root, type ServerKeys } from './server-keys.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

export interface KeyRotationServices extends ReEncryptionServices {
  readonly audit: Audit
  readonly serverKeys: ServerKeys
}

/** From now on it signs, or peppers; the former ones go on checking what they made. Answers the new key's id. */
export async function rotateServerKey(
  { audit, serverKeys, store }: KeyRotationServices,
  auditContext: AuditContext,
  root: Root,
): Promise<string> {
  // Across, here and below: keys are the provider's business.
  const id = await store.across(async (db) => {
    await lockForTransaction(db, 'serverKeys')
    const made = await serverKeys.make(db, root)
    await audit.record(db, auditContext, keyEvent('crypto.key_rotated', { root, id: made }))
    return made
  })
  serverKeys.forget()
  return id
}

/**
 * Gives each organisation that has a data key, and the platform, another one, and seals anew what the former sealed.
 * @param of one organisation; null: the platform's own; 'all'. Answers how many keys, and how many values were sealed anew.
 */
export async function rotateDataKeys(
  services: KeyRotationServices,
  auditContext: AuditContext,
  of: string | null | 'all',
): Promise<{ readonly keys: number; readonly values: number }> {
  const owners = of === 'all' ? await services.store.across(listOwners) : [of]
  for (const owner of owners) await services.store.across((db) => replaceDataKey(db, services, auditContext, owner))
  return { keys: owners.length, values: await resealAll(services) }
}

async function listOwners(db: Db): Promise<readonly (string | null)[]> {
  const rows = await db.selectFrom('dataKey').select('organisationId').where('retiredAt', 'is', null).execute()
  return rows.map(({ organisationId }) => organisationId)
}

/** Whoever is sealing with the former key holds its row; the change waits for them. */
async function replaceDataKey(
  db: Db,
  services: KeyRotationServices,
  auditContext: AuditContext,
  organisationId: string | null,
): Promise<void> {
  // Before any row, as whoever wraps keys anew does.
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
  return { organisationId: null, action, outcome: 'success', detail } as const
}

/** Records a backup in the store that was backed up. */
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Audit } from '../audit/audit.ts'
import type { Store } from '../../kernel/store/store.ts'
import type { BackupResult } from './make-backup.ts'

export async function recordBackup(
  { store, audit }: { readonly store: Store; readonly audit: Audit },
  auditContext: AuditContext,
  made: BackupResult,
): Promise<void> {
  const { madeAt, bytes, rows } = made
  // Across: a backup contains all organisations.
  await store.across(async (db) => {
    const { id } = await db
      .insertInto('backup')
      .values({ madeAt, bytes, rows })
      .returning('id')
      .executeTakeFirstOrThrow()
    const event = {
      organisationId: null,
      action: 'store.backed_up',
      object: { type: 'backup', id },
    } as const
    await audit.record(db, auditContext, { ...event, detail: { madeAt, bytes, rows } })
  })
}

import type { Store } from '../../kernel/store/store.ts'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { AuditEvent, Audit } from './audit.ts'

interface AuditCredentialTestServices {
  readonly audit: Audit
  readonly store: Store
}

interface Test {
  readonly auditContext: AuditContext<string>
  readonly event: Pick<AuditEvent, 'action' | 'object'>
}

/** Tests credentials, and records how it went: a test with one failed check has failed, and so has one that throws. */
export async function auditTest<Results extends readonly object[]>(
  { audit, store }: AuditCredentialTestServices,
  { auditContext, event }: Test,
  test: () => Promise<Results>,
): Promise<Results> {
  const record = (outcome: AuditEvent['outcome']) =>
    store.within(auditContext.organisationId, (db) => audit.record(db, auditContext, { outcome, ...event }))
  try {
    const results = await test()
    await record(results.some((result) => 'outcome' in result && result.outcome === 'failed') ? 'failure' : 'success')
    return results
  } catch (error) {
    await record('failure')
    throw error
  }
}

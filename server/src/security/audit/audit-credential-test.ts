import type { SecurityServices } from '../security-services.ts'
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import type { NewAuditEvent } from './audit.ts'

type AuditCredentialTestServices = Pick<SecurityServices, 'audit' | 'store'>

interface CredentialTestAudit {
  readonly auditContext: OrganisationContext
  readonly event: Pick<NewAuditEvent, 'action' | 'object'>
}

/** Runs a test of credentials and audits its outcome. A failed check or an exception makes it a failure. */
export async function auditCredentialTest<Results extends readonly object[]>(
  { audit, store }: AuditCredentialTestServices,
  { auditContext, event }: CredentialTestAudit,
  test: () => Promise<Results>,
): Promise<Results> {
  const record = (outcome: 'success' | 'failure') =>
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

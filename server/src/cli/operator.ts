/** The operator at the console: above every role of the portal, and identified by account and machine. */
import { hostname, userInfo } from 'node:os'
import type { AuditContext } from '../kernel/audit-context.ts'

export function operatorAuditContext(): AuditContext<null> {
  return {
    actor: { userId: null, role: 'operator', sessionId: null },
    organisationId: null,
    address: hostname(),
    reference: `console of ${accountName()}`,
  }
}

/** A container may run under a user id that has no name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

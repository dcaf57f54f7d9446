/** Whoever holds the console: above every role of the portal, and known by the account and the machine they sit at. */
import { hostname, userInfo } from 'node:os'
import type { AuditContext } from '../kernel/audit-context.ts'

/** As the audit log writes it. */
export function operatorOrigin(): AuditContext {
  return {
    actorId: null,
    actorRole: 'operator',
    sessionId: null,
    address: hostname(),
    reference: `console of ${accountName()}`,
  }
}

/** A container may run under a number that has no name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

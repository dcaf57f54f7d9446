/** Requests the approval of the provider when a connector that a customer has described is to call a host that is not approved. */
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { SecurityServices } from '../../security/security-services.ts'
import { cancelRuns, updateConnector } from '../connectors/connector-queries.ts'
import { findHostApproval, type HostApprovalRow } from './approved-hosts.ts'

export type RequestHostsServices = Pick<SecurityServices, 'audit' | 'clock'>

/** What the settings of a connector call, as its source says. */
export interface CalledHosts {
  readonly hosts: readonly string[]
  readonly description: string
}

/** The caller has locked the connector. Settings that call approved hosts only need no request. */
export async function requestHosts(
  db: Db,
  services: RequestHostsServices,
  auditContext: OrganisationContext,
  { connectorId, hosts, description }: CalledHosts & { readonly connectorId: string },
): Promise<void> {
  const connector = { organisationId: auditContext.organisationId, connectorId }
  const former = await findHostApproval(db, connector)
  const isApproved = hosts.every((host) => former?.approvedHosts.includes(host) === true)
  const isAsked = !isApproved && isOpen(former, { hosts, description })
  const status = isApproved ? 'APPROVED' : isAsked ? (former?.status ?? 'WAITING') : 'WAITING'
  const requestedAt = isoTime(services.clock.now())
  const isNew = !isApproved && !isAsked
  const current = {
    hosts: [...hosts],
    description,
    status,
    ...(isApproved && { reason: null }),
    ...(isNew && { requestedBy: auditContext.actor?.userId ?? null, requestedAt, isMailed: false, ...undecided }),
  }
  await db
    .insertInto('hostApproval')
    .values({ ...connector, requestedAt, ...current })
    .onConflict((conflict) => conflict.column('connectorId').doUpdateSet(current))
    .execute()
  await updateConnector(db, connector, { awaitsApproval: !isApproved })
  if (!isNew) return
  await cancelRuns(db, connector.organisationId, {
    notice: 'The settings call a host that the provider has not approved.',
  })
    .where('connectorId', '=', connectorId)
    .where('mode', '<>', 'erase')
    .execute()
  const object = { type: 'connector', id: connectorId }
  await services.audit.record(db, auditContext, {
    action: 'connector.hosts_requested',
    object,
    detail: { hosts: hosts.join(', ') },
  })
}

const undecided = { decidedBy: null, decidedAt: null, reason: null } as const

/** A request for the same hosts waits, or was decided for the same description. */
function isOpen(former: HostApprovalRow | undefined, { hosts, description }: CalledHosts): boolean {
  if (former === undefined || former.status === 'APPROVED') return false
  const isSame = hosts.length === former.hosts.length && hosts.every((host) => former.hosts.includes(host))
  return isSame && (former.status === 'WAITING' || former.description === description)
}

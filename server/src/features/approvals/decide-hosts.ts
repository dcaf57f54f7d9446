/** The decision of the provider about the hosts of a connector whose source a customer has described. */
import type { AuditAction } from '@tributary/contract/audit-actions'
import type { AppServices } from '../../app-services.ts'
import { type HostDecision, hostsDecided } from '../../connections/host-approvals/host-approval-emails.ts'
import { cancelRuns, updateConnector } from '../../connections/connectors/connector-queries.ts'
import { lockUndeletedConnector } from '../../connections/connectors/connector-lock.ts'
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findRequester, getHostApproval, type HostApprovalEntry } from './host-approval-queries.ts'

export interface HostDecisionInput {
  readonly connectorId: string
  readonly decision: HostDecision
  /** As the person who decides has seen them. */
  readonly hosts: readonly string[]
  readonly reason: string | null
}

const actions: Readonly<Record<HostDecision, AuditAction>> = {
  APPROVED: 'connector.hosts_approved',
  REFUSED: 'connector.hosts_refused',
  WITHDRAWN: 'connector.hosts_withdrawn',
}

export async function decideHosts(
  db: Db,
  services: Pick<AppServices, 'audit' | 'clock' | 'config' | 'mailer'>,
  auditContext: OrganisationContext,
  input: HostDecisionInput,
): Promise<HostApprovalEntry> {
  const { connectorId, decision, reason } = input
  if (decision !== 'APPROVED' && reason === null)
    throw badField('reason', 'is missing: the administrator of the connector reads it')
  const { organisationId } = auditContext
  await lockUndeletedConnector(db, { organisationId, connectorId })
  const current = await getHostApproval(db, organisationId, connectorId)
  if (!isSame(current.hosts, input.hosts)) throw new ApiFault('hostsChanged')
  if (current.status === decision) return current
  requirePossible(current, decision)
  await storeDecision(db, services, auditContext, input)
  await services.audit.record(db, auditContext, {
    action: actions[decision],
    object: { type: 'connector', id: connectorId },
    detail: { hosts: current.hosts.join(', '), ...(reason !== null && { reason }) },
  })
  await mailRequester(db, services, current, input)
  return getHostApproval(db, organisationId, connectorId)
}

/** Only what waits can be refused, and only what is approved can be withdrawn. */
function requirePossible({ status }: HostApprovalEntry, decision: HostDecision): void {
  const isPossible = decision === 'APPROVED' || status === (decision === 'REFUSED' ? 'WAITING' : 'APPROVED')
  if (!isPossible) throw new ApiFault('alreadyDecided', { values: { status } })
}

const approvedAfter = { APPROVED: true, REFUSED: false, WITHDRAWN: false } as const

async function storeDecision(
  db: Db,
  { clock }: Pick<AppServices, 'clock'>,
  { organisationId, actor }: OrganisationContext,
  { connectorId, decision, reason, hosts }: HostDecisionInput,
): Promise<void> {
  await db
    .updateTable('hostApproval')
    .set({
      status: decision,
      decidedBy: actor?.userId ?? null,
      decidedAt: isoTime(clock.now()),
      reason,
      // A refusal of other hosts leaves those that were approved before.
      ...(decision !== 'REFUSED' && { approvedHosts: approvedAfter[decision] ? [...hosts] : [] }),
    })
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
  await updateConnector(db, { organisationId, connectorId }, { awaitsApproval: !approvedAfter[decision] })
  if (decision === 'WITHDRAWN')
    await cancelRuns(db, organisationId, { notice: 'The provider has withdrawn the approval of its hosts.' })
      .where('connectorId', '=', connectorId)
      .where('mode', '<>', 'erase')
      .execute()
}

function isSame(ones: readonly string[], others: readonly string[]): boolean {
  return ones.length === others.length && ones.every((host) => others.includes(host))
}

async function mailRequester(
  db: Db,
  { config, mailer }: Pick<AppServices, 'config' | 'mailer'>,
  { connectorId, connectorName, hosts, clientId }: HostApprovalEntry,
  { decision, reason }: Pick<HostDecisionInput, 'decision' | 'reason'>,
): Promise<void> {
  const requester = await findRequester(db, clientId, connectorId)
  if (requester === undefined) return
  const url = `${config.publicUrl}/connectors/${requester.type}/manage?organisation=${clientId}`
  await mailer.enqueue(db, requester.emailAddress, hostsDecided(decision, { connectorName, hosts, url, reason }))
}

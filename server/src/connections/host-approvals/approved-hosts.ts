/** Which hosts the provider has approved for a connector whose source the customer has described. */
import type { ApprovedHosts } from '@tributary/engine/ports/approved-hosts'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../connectors/connector-settings.ts'

export function findHostApproval(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('hostApproval')
    .selectAll()
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .executeTakeFirst()
}

export type HostApprovalRow = NonNullable<Awaited<ReturnType<typeof findHostApproval>>>

/** What the source needs to open. */
export async function readApprovedHosts(db: Db, connector: ConnectorLocation): Promise<ApprovedHosts> {
  const approval = await findHostApproval(db, connector)
  return {
    hosts: approval?.approvedHosts ?? [],
    refusalOf: (hosts) => describeRefusal(hosts, approval),
  }
}

/** For people: why nothing is sent to these hosts. */
export function describeRefusal(
  hosts: readonly string[],
  approval: Pick<HostApprovalRow, 'hosts' | 'status' | 'reason'> | undefined,
): string {
  const named = hosts.join(' and ')
  // The hosts of a form that is not saved.
  if (approval === undefined || !hosts.every((host) => approval.hosts.includes(host)))
    return `Nothing is sent to ${named} before the provider has approved it. Save the connector to request the approval.`
  const reason = approval.reason === null ? '' : ` Reason: ${approval.reason}`
  switch (approval.status) {
    case 'REFUSED':
      return `The provider has refused ${named}, so nothing is sent there.${reason}`
    case 'WITHDRAWN':
      return `The provider has withdrawn the approval of ${named}, so nothing is sent there.${reason}`
    case 'WAITING':
    case 'APPROVED':
      return `Waiting for approval of ${named} by the provider. Nothing is sent there before.`
  }
}

/** Hosts of connectors whose sources customers have described. Across organisations, because the provider decides. */
import { sql } from 'kysely'
import { notFound } from '../../kernel/http/api-fault.ts'
import { isPaged, onePage, type PageQuery } from '../../kernel/http/paging.ts'
import type { Db } from '../../kernel/store/store.ts'

/** Those that wait first, then the newest. The total is counted only for a page. */
export async function listHostApprovalsEverywhere(db: Db, page: PageQuery) {
  const found = selectHostApprovals(db)
    .where('connector.status', '=', 'CONNECTED')
    .where('organisation.archivedAt', 'is', null)
  const ordered = found
    .orderBy(sql`hostApproval.status <> 'WAITING'`)
    .orderBy('hostApproval.requestedAt', 'desc')
    .orderBy('hostApproval.connectorId')
  const hosts = await onePage(ordered, page).execute()
  if (!isPaged(page)) return { hosts, total: null }
  const { total } = await found
    .clearSelect()
    .select((count) => count.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { hosts, total }
}

/** Throws `notFound`. */
export function getHostApproval(db: Db, organisationId: string, connectorId: string) {
  return selectHostApprovals(db)
    .where('hostApproval.organisationId', '=', organisationId)
    .where('hostApproval.connectorId', '=', connectorId)
    .executeTakeFirstOrThrow(notFound)
}

export type HostApprovalEntry = Awaited<ReturnType<typeof getHostApproval>>

/** Who has requested the approval; undefined once their account is erased. */
export function findRequester(db: Db, organisationId: string, connectorId: string) {
  return db
    .selectFrom('hostApproval')
    .innerJoin('connector', 'connector.id', 'hostApproval.connectorId')
    .innerJoin('portalUser', 'portalUser.id', 'hostApproval.requestedBy')
    .select(['portalUser.emailAddress', 'connector.type'])
    .where('hostApproval.organisationId', '=', organisationId)
    .where('hostApproval.connectorId', '=', connectorId)
    .executeTakeFirst()
}

function selectHostApprovals(db: Db) {
  return db
    .selectFrom('hostApproval')
    .innerJoin('connector', 'connector.id', 'hostApproval.connectorId')
    .innerJoin('organisation', 'organisation.id', 'hostApproval.organisationId')
    .leftJoin('portalUser as requester', 'requester.id', 'hostApproval.requestedBy')
    .leftJoin('portalUser as decider', 'decider.id', 'hostApproval.decidedBy')
    .select([
      'hostApproval.organisationId as clientId',
      'organisation.companyName',
      'hostApproval.connectorId',
      'connector.name as connectorName',
      'hostApproval.hosts',
      'hostApproval.approvedHosts',
      'hostApproval.status',
      'hostApproval.description',
      'hostApproval.requestedAt as requestedAtUtc',
      'hostApproval.decidedAt as decidedAtUtc',
      'hostApproval.reason',
    ])
    .select(sql<string | null>`requester.firstName || ' ' || requester.lastName`.as('requestedBy'))
    .select(sql<string | null>`decider.firstName || ' ' || decider.lastName`.as('decidedBy'))
}

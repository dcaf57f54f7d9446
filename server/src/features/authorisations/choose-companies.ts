/** What a person who has just authorised may choose from, and what becomes of the choice. */
import type { Authorisation } from '@tributary/contract/authorisations'
import type { Camel } from '@tributary/contract/wire'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { CompanyConnector } from '../../connections/oauth/connect-companies.ts'
import { deleteUnusedGrants } from '../../connections/oauth/grants.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findFormer, type Former, listOffered, type Offered } from './companies.ts'
import { type Choice, type Chooser, findChoice, takeChoice } from './oauth-flows.ts'

/** Throws `notFound` where there is nothing to choose from, for this person or any more. */
export async function readChoice(
  { clock, store }: Pick<AppServices, 'clock' | 'store'>,
  chooser: Chooser,
): Promise<Camel<Authorisation>> {
  // Across: whether a company is another organisation's already.
  return store.across(async (db) => {
    const choice = await findChoice(db, clock, chooser)
    if (choice === undefined) throw new ApiFault('notFound')
    const { former, offered } = await readOffer(db, choice)
    const { id, type, connectorId } = choice
    return {
      id,
      type,
      reconnects:
        former === null || connectorId === null
          ? null
          : { connectorId, name: former.name, tenantName: former.tenantName ?? former.name },
      tenants: offered.map(({ tenantId, name, country, currency, ...one }) => ({
        tenantId,
        name,
        country,
        currency,
        taken: one.connectorId !== null && one.connectorId === connectorId ? null : one.taken,
        isFormer: tenantId === former?.tenantId,
      })),
    }
  })
}

interface Wish {
  readonly tenantIds: readonly string[]
  readonly confirmOther: boolean
}

/** All of them or none. Throws `notFound`, `tenantTaken`, `otherTenant`. */
export async function choose(
  { clock, store }: Pick<AppServices, 'clock' | 'store'>,
  connecting: CompanyConnector,
  {
    authorisationId,
    auditContext,
  }: { readonly authorisationId: string; readonly auditContext: AuditContext<string, Actor> },
  wish: Wish,
): Promise<readonly string[]> {
  const chooser = { organisationId: auditContext.organisationId, userId: auditContext.actor.userId, authorisationId }
  // Across: as above.
  return store.across(async (db) => {
    const choice = await takeChoice(db, clock, chooser)
    if (choice === undefined) throw new ApiFault('notFound')
    const { former, offered } = await readOffer(db, choice)
    const wanted = [...new Set(wish.tenantIds)].map((id) => requireOffered(offered, id, choice.connectorId))
    const connected =
      former === null || choice.connectorId === null
        ? await addAll(db, connecting, auditContext, wanted)
        : [await connectAgain(db, connecting, { auditContext, connectorId: choice.connectorId, former, wanted, wish })]
    await deleteUnusedGrants(db, clock, [choice.grantId])
    return connected
  })
}

async function readOffer(db: Db, { organisationId, type, connectorId, grantId, tenantIds }: Choice) {
  const former = connectorId === null ? null : await findFormer(db, organisationId, connectorId, type)
  // Deleted meanwhile.
  if (former === undefined) throw new ApiFault('notFound')
  return { former, offered: await listOffered(db, organisationId, { grantId, tenantIds }) }
}

function requireOffered(offered: readonly Offered[], id: string, connectorId: string | null): Offered {
  const found = offered.find(({ tenantId }) => tenantId === id)
  if (found === undefined)
    throw badField(
      'tenantIds',
      'has a company in it that was not opened to Tributary; choose among those that are shown',
    )
  const isOwn = connectorId !== null && found.connectorId === connectorId
  if (found.taken !== null && !isOwn) throw new ApiFault('tenantTaken', { values: { name: found.name } })
  return found
}

async function addAll(
  db: Db,
  connecting: CompanyConnector,
  auditContext: AuditContext<string, Actor>,
  wanted: readonly Offered[],
): Promise<readonly string[]> {
  const ids: string[] = []
  for (const company of wanted) ids.push(await connecting.add(db, auditContext, company))
  return ids
}

interface Again {
  readonly auditContext: AuditContext<string, Actor>
  readonly connectorId: string
  readonly former: Former
  readonly wanted: readonly Offered[]
  readonly wish: Wish
}

async function connectAgain(
  db: Db,
  connecting: CompanyConnector,
  { auditContext, connectorId, former, wanted, wish }: Again,
): Promise<string> {
  const [company] = wanted
  if (company === undefined || wanted.length > 1)
    throw badField('tenantIds', 'must be one company: a connector moves one')
  const isOther = former.tenantId !== null && company.tenantId !== former.tenantId
  if (isOther && !wish.confirmOther)
    throw new ApiFault('otherTenant', { values: { former: former.tenantName ?? former.name, name: company.name } })
  await connecting.reconnect(db, auditContext, connectorId, company)
  return connectorId
}

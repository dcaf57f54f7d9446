/**
 * After an authorisation that opened several companies: reads the company choice, and connects the selected companies.
 */
import type { Authorisation } from '@tributary/contract/authorisations'
import type { Camel } from '@tributary/contract/wire'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { ApiFault, badField, requireFound } from '../../kernel/http/api-fault.ts'
import type { CompanyConnector } from '../../connections/oauth/connect-companies.ts'
import { deleteUnusedGrants } from '../../connections/oauth/grants.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findReconnectTarget, type ReconnectTarget, listOfferedCompanies, type OfferedCompany } from './companies.ts'
import { type CompanyChoice, type CompanyChoiceKeys, findCompanyChoice, redeemCompanyChoice } from './oauth-flows.ts'

/** @throws `notFound` if the choice does not exist, belongs to another user, was used or has expired. */
export async function readCompanyChoice(
  { clock, store }: Pick<AppServices, 'clock' | 'store'>,
  chooser: CompanyChoiceKeys,
): Promise<Camel<Authorisation>> {
  // Across: a company may already belong to another organisation.
  return store.across(async (db) => {
    const choice = requireFound(await findCompanyChoice(db, clock, chooser))
    const { former, offered } = await readOfferedCompanies(db, choice)
    const { id, type, connectorId } = choice
    return {
      id,
      type,
      reconnects:
        former === null || connectorId === null
          ? null
          : {
              connectorId,
              name: former.name,
              tenantName: former.companies[0]?.name ?? former.name,
              isShared: former.isShared,
            },
      tenants: offered.map(({ tenantId, name, country, currency, ...one }) => ({
        tenantId,
        name,
        country,
        currency,
        // Signing in again has renewed those that a connector of several companies has, so they are not offered again.
        taken: one.connectorId !== null && one.connectorId === connectorId && !former?.isShared ? null : one.taken,
        isFormer: former?.companies.some((company) => company.tenantId === tenantId) ?? false,
      })),
    }
  })
}

interface CompanySelection {
  readonly tenantIds: readonly string[]
  readonly confirmOther: boolean
  /** A set of tables for each company, or one for all. */
  readonly tables: 'each' | 'shared'
}

/**
 * Atomic: connects all selected companies or none.
 *
 * @throws `notFound`, `tenantTaken`, or `otherTenant` if the replacement of the connector's company was not confirmed.
 */
export async function connectChosenCompanies(
  { clock, store }: Pick<AppServices, 'clock' | 'store'>,
  connecting: CompanyConnector,
  { authorisationId, auditContext }: { readonly authorisationId: string; readonly auditContext: CallerContext },
  selection: CompanySelection,
): Promise<readonly string[]> {
  const chooser = { organisationId: auditContext.organisationId, userId: auditContext.actor.userId, authorisationId }
  // Across: a company may already belong to another organisation.
  return store.across(async (db) => {
    const choice = requireFound(await redeemCompanyChoice(db, clock, chooser))
    const { former, offered } = await readOfferedCompanies(db, choice)
    const companies = [...new Set(selection.tenantIds)].map((id) => requireOffered(offered, id, choice.connectorId))
    const connected =
      former === null || choice.connectorId === null
        ? selection.tables === 'shared'
          ? [await connecting.addShared(db, auditContext, companies)]
          : await addConnectors(db, connecting, auditContext, companies)
        : [
            await reconnectCompany(db, connecting, {
              auditContext,
              connectorId: choice.connectorId,
              former,
              companies,
              selection,
            }),
          ]
    await deleteUnusedGrants(db, clock, [choice.grantId])
    return connected
  })
}

async function readOfferedCompanies(db: Db, { organisationId, type, connectorId, grantId, tenantIds }: CompanyChoice) {
  // The connector may have been deleted in the meantime.
  const former =
    connectorId === null ? null : requireFound(await findReconnectTarget(db, { organisationId, connectorId }, type))
  return { former, offered: await listOfferedCompanies(db, organisationId, { grantId, tenantIds }) }
}

function requireOffered(offered: readonly OfferedCompany[], id: string, connectorId: string | null): OfferedCompany {
  const found = offered.find(({ tenantId }) => tenantId === id)
  if (found === undefined)
    throw badField('tenantIds', 'contains a company that Tributary cannot access; choose from the companies shown')
  const isOwn = connectorId !== null && found.connectorId === connectorId
  if (found.taken !== null && !isOwn) throw new ApiFault('tenantTaken', { values: { name: found.name } })
  return found
}

async function addConnectors(
  db: Db,
  connecting: CompanyConnector,
  auditContext: CallerContext,
  companies: readonly OfferedCompany[],
): Promise<readonly string[]> {
  const ids: string[] = []
  for (const company of companies) ids.push(await connecting.add(db, auditContext, company))
  return ids
}

interface CompanyReplacement {
  readonly auditContext: CallerContext
  readonly connectorId: string
  readonly former: ReconnectTarget
  readonly companies: readonly OfferedCompany[]
  readonly selection: CompanySelection
}

async function reconnectCompany(
  db: Db,
  connecting: CompanyConnector,
  { auditContext, connectorId, former, companies, selection }: CompanyReplacement,
): Promise<string> {
  if (!former.isShared) requireReplacement(former, companies, selection)
  await connecting.reconnect(db, auditContext, connectorId, companies)
  return connectorId
}

function requireReplacement(
  former: ReconnectTarget,
  companies: readonly OfferedCompany[],
  { confirmOther }: CompanySelection,
): void {
  const [company] = companies
  if (company === undefined || companies.length > 1)
    throw badField('tenantIds', 'must be one company: a connector reads one')
  const [moved] = former.companies
  if (moved !== undefined && moved.tenantId !== company.tenantId && !confirmOther)
    throw new ApiFault('otherTenant', { values: { former: moved.name, name: company.name } })
}

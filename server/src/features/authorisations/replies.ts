/** The authorisation of a connector at its source, in the shape of the contract. */
import type { ConnectorAuthorisation, SharedCompany } from '@tributary/contract/authorisations'
import type { Camel } from '@tributary/contract/wire'
import { isoTime } from '../../kernel/clock.ts'
import { notFound } from '../../kernel/http/api-fault.ts'
import {
  type ConnectorCompany,
  findFirstCompany,
  listCompanies,
  shareTables,
} from '../../connections/oauth/connector-companies.ts'
import type { Oauth } from '../../connections/oauth/oauth.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'

/** Of several companies, the first that can be read says who signed in and when. */
export async function readConnectorAuthorisation(
  db: Db,
  { types }: Oauth,
  connector: ConnectorLocation,
): Promise<Camel<ConnectorAuthorisation>> {
  const type = await findType(db, connector)
  const companies = await listCompanies(db, connector)
  const grants = await listGrants(db, connector)
  const first = findFirstCompany(companies)
  return {
    ...describeFirst(first),
    ...describeGrant(grants.find(({ id }) => id === first?.grantId)),
    diesAtUtc: findExpiry(types.get(type)?.oauth, grants),
    companies: shareTables(companies) ? companies.map(describeCompany) : [],
  }
}

function describeFirst(first: ConnectorCompany | undefined) {
  const none = { status: 'NONE', connectedAtUtc: null } as const
  if (first === undefined) return { ...none, tenantName: null, country: null, currency: null }
  const { name: tenantName, country, currency, connectedAt, releasedAt } = first
  const company = { tenantName, country, currency }
  if (releasedAt !== null) return { ...company, ...none }
  return { ...company, status: isAlive(first) ? ('ACTIVE' as const) : ('DEAD' as const), connectedAtUtc: connectedAt }
}

function describeGrant(grant: Grant | undefined) {
  if (grant === undefined) return { emailAddress: null, app: null, scopes: [] }
  return { emailAddress: grant.emailAddress, app: describeApp(grant.kind), scopes: grant.scopes }
}

function describeCompany(company: ConnectorCompany): Camel<SharedCompany> {
  const { tenantId, name, country, currency } = company
  return { tenantId, name, country, currency, status: statusOf(company) }
}

function isAlive({ grantId, deadAt }: ConnectorCompany): boolean {
  return grantId !== null && deadAt === null
}

function statusOf(company: ConnectorCompany): SharedCompany['Status'] {
  if (company.state === 'kept') return 'KEPT'
  if (company.releasedAt !== null) return 'NONE'
  return isAlive(company) ? 'ACTIVE' : 'DEAD'
}

function describeApp(kind: 'app' | 'machine' | null): 'provider' | 'own' | 'machine' {
  return kind === null ? 'provider' : kind === 'app' ? 'own' : 'machine'
}

/** When the first of the grants expires. Null if none does: a dead one and that of a custom connection have no refresh token. */
function findExpiry(
  oauth: { readonly refreshTokenMs: number } | undefined,
  grants: readonly Pick<Grant, 'refreshedAt' | 'isRenewed'>[],
): string | null {
  const renewed = grants.filter(({ isRenewed }) => isRenewed).map(({ refreshedAt }) => Date.parse(refreshedAt))
  return oauth === undefined || renewed.length === 0 ? null : isoTime(Math.min(...renewed) + oauth.refreshTokenMs)
}

async function findType(db: Db, { organisationId, connectorId }: ConnectorLocation): Promise<string> {
  const { type } = await db
    .selectFrom('connector')
    .select('type')
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .executeTakeFirstOrThrow(notFound)
  return type
}

/** The grants of all companies of the connector. */
function listGrants(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('oauthGrant')
    .leftJoin('oauthApp', 'oauthApp.id', 'oauthGrant.appId')
    .select(['oauthGrant.id', 'emailAddress', 'scopes', 'refreshedAt', 'oauthApp.kind'])
    .select(({ eb }) => eb('refreshToken', 'is not', null).$castTo<boolean>().as('isRenewed'))
    .where('oauthGrant.id', 'in', ({ selectFrom }) =>
      selectFrom('connectorCompany')
        .select('grantId')
        .$castTo<{ grantId: string }>()
        .where('organisationId', '=', organisationId)
        .where('connectorId', '=', connectorId)
        .where('grantId', 'is not', null),
    )
    .execute()
}
type Grant = Awaited<ReturnType<typeof listGrants>>[number]

/** The authorisation of a connector at its source, in the shape of the contract. */
import type { ConnectorAuthorisation, SharedCompany } from '@tributary/contract/authorisations'
import type { Camel } from '@tributary/contract/wire'
import { isoTime } from '../../kernel/clock.ts'
import { notFound } from '../../kernel/http/api-fault.ts'
import { listSharedCompanies } from '../../connections/oauth/shared-companies.ts'
import type { Oauth } from '../../connections/oauth/oauth.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'

type SharedCompanyRow = Awaited<ReturnType<typeof listSharedCompanies>>[number]

export async function readConnectorAuthorisation(
  db: Db,
  { types }: Oauth,
  connector: ConnectorLocation,
): Promise<Camel<ConnectorAuthorisation>> {
  const found = await getConnectorGrant(db, connector)
  const isLinked = found.tenantName !== null && found.releasedAt === null
  const isAlive = found.grantId !== null && found.deadAt === null
  return {
    status: !isLinked ? 'NONE' : isAlive ? 'ACTIVE' : 'DEAD',
    tenantName: found.tenantName,
    country: found.country,
    currency: found.currency,
    emailAddress: found.emailAddress,
    app: found.grantId === null ? null : describeApp(found.kind),
    connectedAtUtc: isLinked ? found.connectedAt : null,
    diesAtUtc:
      found.refreshToken === null || found.refreshedAt === null
        ? null
        : expiryOf(types.get(found.type)?.oauth, found.refreshedAt),
    scopes: found.scopes ?? [],
    companies: (await listSharedCompanies(db, connector)).map(({ tenantId, name, country, currency, ...own }) => ({
      tenantId,
      name,
      country,
      currency,
      status: statusOf(own),
    })),
  }
}

function statusOf({
  state,
  releasedAt,
  grantId,
  deadAt,
}: Pick<SharedCompanyRow, 'state' | 'releasedAt' | 'grantId' | 'deadAt'>): SharedCompany['Status'] {
  if (state === 'kept') return 'KEPT'
  if (releasedAt !== null) return 'NONE'
  return grantId !== null && deadAt === null ? 'ACTIVE' : 'DEAD'
}

function describeApp(kind: 'app' | 'machine' | null): 'provider' | 'own' | 'machine' {
  return kind === null ? 'provider' : kind === 'app' ? 'own' : 'machine'
}

function expiryOf(oauth: { readonly refreshTokenMs: number } | undefined, refreshedAt: string): string | null {
  return oauth === undefined ? null : isoTime(Date.parse(refreshedAt) + oauth.refreshTokenMs)
}

function getConnectorGrant(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('connector')
    .leftJoin('connectorTenant', 'connectorTenant.connectorId', 'connector.id')
    .leftJoin('oauthGrant', 'oauthGrant.id', 'connectorTenant.grantId')
    .leftJoin('oauthApp', 'oauthApp.id', 'oauthGrant.appId')
    .select([
      'connector.type',
      'connectorTenant.name as tenantName',
      'connectorTenant.country',
      'connectorTenant.currency',
    ])
    .select(['connectorTenant.connectedAt', 'connectorTenant.releasedAt', 'connectorTenant.grantId'])
    .select([
      'oauthGrant.emailAddress',
      'oauthGrant.scopes',
      'oauthGrant.deadAt',
      'oauthGrant.refreshToken',
      'oauthGrant.refreshedAt',
    ])
    .select('oauthApp.kind')
    .where('connector.organisationId', '=', organisationId)
    .where('connector.id', '=', connectorId)
    .executeTakeFirstOrThrow(notFound)
}

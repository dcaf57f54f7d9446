/** The tables of OAuth sources, accounting products and tie-outs. */
import type { Generated } from 'kysely'
import type { JsonColumnWithDefault, TimeColumn, NullableTimeColumn, TimeColumnWithDefault } from './column-types.ts'

interface OauthAppTable {
  id: Generated<string>
  organisationId: string
  type: string
  kind: 'app' | 'machine'
  clientId: string
  clientSecret: string
  createdBy: string | null
  createdAt: TimeColumnWithDefault
}

interface OauthGrantTable {
  id: Generated<string>
  type: string
  appId: string | null
  clientId: string
  person: string
  emailAddress: string | null
  name: string | null
  scopes: Generated<string[]>
  refreshToken: string | null
  accessToken: string | null
  accessExpiresAt: NullableTimeColumn
  version: Generated<number>
  intentVersion: number | null
  intentAt: NullableTimeColumn
  refreshedAt: TimeColumnWithDefault
  createdAt: TimeColumnWithDefault
  deadAt: NullableTimeColumn
  warnedAt: NullableTimeColumn
  toldAt: NullableTimeColumn
  givenBy: string | null
}

interface OauthTenantTable {
  grantId: string
  tenantId: string
  connectionId: string | null
  name: string
  country: string | null
  currency: string | null
  seenAt: TimeColumnWithDefault
}

interface ConnectorTenantTable {
  connectorId: string
  organisationId: string
  type: string
  tenantId: string
  name: string
  country: string | null
  currency: string | null
  grantId: string | null
  connectedAt: TimeColumnWithDefault
  releasedAt: NullableTimeColumn
  readsAnew: Generated<boolean>
}

interface AuthorisationTable {
  id: Generated<string>
  organisationId: string
  userId: string
  sessionId: string
  type: string
  appId: string | null
  connectorId: string | null
  stateHash: Buffer
  browserHash: Buffer
  pkceVerifier: string
  nonce: string
  createdAt: TimeColumnWithDefault
  expiresAt: TimeColumn
  usedAt: NullableTimeColumn
  grantId: string | null
  tenantIds: string[] | null
  chosenAt: NullableTimeColumn
}

interface ProductCredentialTable {
  connectorId: string
  organisationId: string
  kind: 'mssql' | 'postgres' | 'mysql'
  host: string
  databaseName: string
  schemaName: string
  userName: string
  encryption: 'verify' | 'encrypt' | 'off'
  password: string
  savedBy: string | null
  savedAt: TimeColumnWithDefault
}

interface TieOutTable {
  runId: string
  organisationId: string
  connectorId: string
  state: 'green' | 'amber' | 'red'
  notice: string | null
  company: string
  currency: string | null
  basis: 'documents' | 'journals'
  mended: Generated<string[]>
  accounts: number
  differing: number
  checkedAt: TimeColumnWithDefault
}

interface TieOutLineTable {
  connectorId: string
  organisationId: string
  period: string
  accountId: string
  code: string | null
  name: string
  computed: string
  reported: string
  state: 'green' | 'amber' | 'red'
  notice: string | null
  documents: JsonColumnWithDefault
}

export interface AccountingSchema {
  oauthApp: OauthAppTable
  oauthGrant: OauthGrantTable
  oauthTenant: OauthTenantTable
  connectorTenant: ConnectorTenantTable
  authorisation: AuthorisationTable
  productCredential: ProductCredentialTable
  tieOut: TieOutTable
  tieOutLine: TieOutLineTable
}

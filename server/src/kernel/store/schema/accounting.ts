/** The tables of OAuth sources, accounting products and tie-outs. */
import type { Generated } from 'kysely'
import type { JsonColumnWithDefault, TimeColumn, NullableTimeColumn, TimeColumnWithDefault } from './column-types.ts'
import type { CredentialTable } from './planning.ts'

export interface AccountingSchema {
  oauthApp: {
    id: Generated<string>
    organisationId: string
    type: string
    kind: 'app' | 'machine'
    clientId: string
    clientSecret: string
    createdBy: string | null
    createdAt: TimeColumnWithDefault
  }

  oauthGrant: {
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

  oauthTenant: {
    grantId: string
    tenantId: string
    connectionId: string | null
    name: string
    country: string | null
    currency: string | null
    seenAt: TimeColumnWithDefault
  }

  connectorCompany: {
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
    state: Generated<'only' | 'current' | 'kept'>
    readsAnew: Generated<boolean>
  }

  authorisation: {
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

  productCredential: CredentialTable & {
    connectorId: string
  }

  tieOut: {
    runId: string
    organisationId: string
    connectorId: string
    state: 'green' | 'amber' | 'red'
    notice: string | null
    company: string
    currency: string | null
    basis: 'documents' | 'journals'
    companies: JsonColumnWithDefault
    mended: Generated<string[]>
    accounts: number
    differing: number
    checkedAt: TimeColumnWithDefault
  }

  tieOutLine: {
    connectorId: string
    organisationId: string
    company: Generated<string>
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
}

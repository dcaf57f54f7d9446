/**
 * Connectors that people authorise with OAuth. The browser opens `/api/authorise/{type}?state={organisationId}`, with
 * `&app=own` to use the organisation's own app and `&connector={id}` to reconnect, and returns to Manage: with
 * `authorisation={id}` if companies must be selected, with `connected={connectorId}` if not, or with `error=`.
 */
import * as z from 'zod'
import { CompanyId, Id } from './id.ts'
import { route } from './route.ts'
import { ofClient, ofConnector } from './route-parts.ts'
import { clientInPath } from './scope.ts'

const time = z.iso.datetime()

/**
 * A company that the person has just authorised. `Taken`: it is already a connector, of this organisation or another.
 */
export const OfferedTenant = z.object({
  TenantId: CompanyId,
  Name: z.string(),
  Country: z.string().nullable(),
  Currency: z.string().nullable(),
  Taken: z.enum(['here', 'elsewhere']).nullable(),
  /** The former company of the connector that is reconnected. */
  IsFormer: z.boolean(),
})
export type OfferedTenant = z.infer<typeof OfferedTenant>

export const Authorisation = z.object({
  Id: z.uuid(),
  Type: z.string(),
  /** The connector that is reconnected, and its former company; null for new connectors. */
  /** `IsShared`: it moves several companies into one set of tables, and the chosen ones are added to them. */
  Reconnects: z
    .object({ ConnectorId: z.uuid(), Name: z.string(), TenantName: z.string(), IsShared: z.boolean() })
    .nullable(),
  Tenants: z.array(OfferedTenant),
})
export type Authorisation = z.infer<typeof Authorisation>

/** `app`: people authorise it; `machine`: a custom connection to one company, with the client credentials flow. */
export const OauthApp = z.object({
  Id: z.uuid(),
  Type: z.string(),
  Kind: z.enum(['app', 'machine']),
  ClientId: z.string(),
  CreatedAtUtc: time,
  /** Connectors that use it. */
  Connectors: z.number().int().min(0),
})
export type OauthApp = z.infer<typeof OauthApp>

/** `KEPT`: it was taken off, and its rows stay. `DEAD`: a person must authorise it again. */
export const SharedCompany = z.object({
  TenantId: CompanyId,
  Name: z.string(),
  Country: z.string().nullable(),
  Currency: z.string().nullable(),
  Status: z.enum(['ACTIVE', 'DEAD', 'NONE', 'KEPT']),
})
export type SharedCompany = z.infer<typeof SharedCompany>

/** How a connector signs in at its source. Of several companies, the first that can be read says who signed in, and when. */
export const ConnectorAuthorisation = z.object({
  Status: z.enum(['ACTIVE', 'DEAD', 'NONE']),
  TenantName: z.string().nullable(),
  Country: z.string().nullable(),
  Currency: z.string().nullable(),
  /** Who authorised it; null for a custom connection. */
  EmailAddress: z.string().nullable(),
  App: z.enum(['provider', 'own', 'machine']).nullable(),
  ConnectedAtUtc: time.nullable(),
  /**
   * When the grant expires unless it is renewed, which happens automatically while the source is reachable; of several, the first that
   * does.
   */
  DiesAtUtc: time.nullable(),
  Scopes: z.array(z.string()),
  /** Several companies in one set of tables; empty if the connector moves one. */
  Companies: z.array(SharedCompany),
})
export type ConnectorAuthorisation = z.infer<typeof ConnectorAuthorisation>

const ofOne = { scope: clientInPath, params: ofClient.params.extend({ authorisationId: Id }) }
const path = '/tributary/clients/:clientId/authorisations/:authorisationId'
const apps = '/tributary/clients/:clientId/oauth-apps'

export const authorisations = {
  read: route({
    method: 'GET',
    path,
    summary: 'What a person who has just authorised may choose from; only for that person, for an hour.',
    allow: 'addConnector',
    ...ofOne,
    reply: Authorisation,
  }),
  choose: route({
    method: 'POST',
    path,
    summary: 'Make connectors of the companies chosen, or connect the one that was to be connected again.',
    allow: 'addConnector',
    ...ofOne,
    /** `shared`: one connector moves all of them into one set of tables, with a column of the company. */
    body: z.strictObject({
      tenantIds: z.array(CompanyId).min(1).max(50),
      confirmOther: z.boolean().default(false),
      tables: z.enum(['each', 'shared']).default('each'),
    }),
    reply: z.object({ ConnectorIds: z.array(z.uuid()) }),
    faults: ['tenantTaken', 'otherTenant'],
  }),
  apps: route({
    method: 'GET',
    path: apps,
    summary:
      'The organisation’s own apps and custom connections, and which types have an app of the provider or custom connections.',
    allow: 'addConnector',
    ...ofClient,
    reply: z.object({
      Provider: z.array(z.string()),
      CustomConnections: z.array(z.string()),
      Own: z.array(OauthApp),
      RedirectAddresses: z.record(z.string(), z.string()),
    }),
  }),
  addApp: route({
    method: 'POST',
    path: apps,
    summary: 'Store an app of the organisation’s own, or a custom connection, which makes its connector at once.',
    allow: 'addConnector',
    ...ofClient,
    needsFreshProof: true,
    body: z.strictObject({
      type: z.string().min(1).max(50),
      kind: z.enum(['app', 'machine']),
      clientId: z.string().trim().min(1).max(200),
      clientSecret: z.string().max(1_000),
    }),
    reply: z.object({ App: OauthApp, ConnectorIds: z.array(z.uuid()) }),
    status: 201,
    faults: ['settingsWrong', 'tenantTaken', 'sourceRefused', 'sourceAway', 'tooMany'],
  }),
  removeApp: route({
    method: 'DELETE',
    path: `${apps}/:appId`,
    summary: 'Forget an app of the organisation’s own; its connectors must be disconnected first.',
    allow: 'addConnector',
    scope: clientInPath,
    needsFreshProof: true,
    params: ofClient.params.extend({ appId: Id }),
    faults: ['appInUse'],
  }),
  ofConnector: route({
    method: 'GET',
    path: '/tributary/clients/:clientId/connectors/:connectorId/authorisation',
    summary: 'How the connector signs in at its source, and whether that still holds.',
    allow: 'editConnector',
    ...ofConnector,
    reply: ConnectorAuthorisation,
  }),
  removeCompany: route({
    method: 'DELETE',
    path: '/tributary/clients/:clientId/connectors/:connectorId/companies/:tenantId',
    summary:
      'Take a company off a connector that moves several. The next run removes its rows, unless they are to stay.',
    allow: 'editConnector',
    scope: clientInPath,
    params: ofConnector.params.extend({ tenantId: CompanyId }),
    query: z.strictObject({ rows: z.enum(['leave', 'stay']).default('leave') }),
    faults: ['settingsWrong'],
  }),
} as const

/**
 * Accounting products: a connector of one or several tenants seen as a product that is synchronised into a database, and the tokens by
 * which the provider reaches the tenants. A product's Id is its connector's.
 */
import * as z from 'zod'
import { CheckResult } from './connectors.ts'
import { CompanyId, Id, OptionalId } from './id.ts'
import { nameMax } from './limits.ts'
import { Person } from './named.ts'
import { route } from './route.ts'
import { ofConnectorById, ofOrganisation } from './route-parts.ts'
import { comOrganisationInBody, organisationInBody } from './scope.ts'
import { TableSyncCredentials, DatabaseCredentials, SyncedTable } from './table-sync.ts'
import { TieOutState } from './tie-out-state.ts'

const time = z.iso.datetime()

export const AccountingProduct = z.object({
  Id: z.uuid(),
  /** The names of its companies at the source; of more than three, two and the number of the others. */
  CompanyName: z.string(),
  /** When a person last started a synchronisation. */
  LastIncrementalTriggerDate: time.nullable(),
  /** Earliest time of the next manual synchronisation, by the server's clock; null: now. */
  NextTriggerAtUtc: time.nullable(),
  Type: z.string(),
  Name: z.string(),
  Status: z.enum(['CONNECTED', 'DISCONNECTED', 'DELETED']),
  Log: z
    .object({ CompletedAtUtc: time.nullable(), HasError: z.boolean(), Forbidden: z.boolean(), RunId: z.uuid() })
    .nullable(),
  TieOut: TieOutState.nullable(),
})
export type AccountingProduct = z.infer<typeof AccountingProduct>

/**
 * A grant that a person gave at the source. Lower-case keys are from section 3 of the specification; capitalised ones
 * are additions.
 */
export const AccountingToken = z.object({
  id: z.uuid(),
  email: z.string(),
  xero_userid: z.string(),
  name: z.string(),
  /** `DEAD`: the source rejects it, so a person must authorise again. */
  Status: z.enum(['ACTIVE', 'DEAD']),
  /** The app that received the grant. */
  App: z.enum(['provider', 'own', 'machine']),
  /** When it expires unless it is renewed. */
  DiesAtUtc: time.nullable(),
})
export type AccountingToken = z.infer<typeof AccountingToken>

const text = z.string().trim().max(nameMax)
/** If every field is empty: the database of the organisation's own tables, or else the warehouse. */
const Creds = TableSyncCredentials

/** A company that a token reaches. `creds` is null if it is not a product. */
export const TokenTenant = z.object({
  id: z.uuid(),
  tenantId: CompanyId,
  tenantName: z.string(),
  name: z.string(),
  email: z.string(),
  xero_userid: z.string(),
  creds: DatabaseCredentials.nullable(),
  Country: z.string().nullable(),
  Currency: z.string().nullable(),
  ProductId: z.uuid().nullable(),
  /** The organisation that it was assigned to. */
  CompanyName: z.string().nullable(),
})
export type TokenTenant = z.infer<typeof TokenTenant>

export const ProductCredentials = z.object({ tenantId: CompanyId, tenantName: z.string(), creds: DatabaseCredentials })
export type ProductCredentials = z.infer<typeof ProductCredentials>
const ProductCredentialsInput = z.strictObject({
  tenantId: CompanyId.optional(),
  tenantName: text.optional(),
  creds: Creds,
})

export const ProductUser = Person.extend({
  Status: z.object({ Name: z.string() }),
  Xero2SqlProducts: z.array(z.object({ Id: z.uuid(), CompanyName: z.string() })),
})
export type ProductUser = z.infer<typeof ProductUser>

/** As in the specification: errors contain statusCode and message, too. */
export const SyncStarted = z.object({ statusCode: z.number().int(), message: z.string(), RunId: z.uuid() })

const ofMember = { allow: 'assignConnectorUsers', ...ofOrganisation, params: z.object({ userId: Id }) } as const
const token = z.object({ tokenId: Id })
const empty = z.object({})
/** A product is a connector; the call is about the connector's organisation. */
const products = '/xero2sqlproducts/:connectorId'

export const accounting = {
  tokens: route({
    method: 'GET',
    path: '/token',
    summary: 'Every token that reaches tenants of an accounting source, by address.',
    allow: 'seeTokens',
    scope: 'none',
    reply: z.array(AccountingToken),
  }),
  tenants: route({
    method: 'GET',
    path: '/token/:tokenId',
    summary: 'The companies that the token reaches; read from the source now.',
    allow: 'seeTokens',
    scope: 'none',
    params: token,
    reply: z.array(TokenTenant),
    faults: ['sourceRefused', 'sourceAway'],
  }),
  assignTenant: route({
    method: 'PATCH',
    path: '/token/:tokenId',
    summary:
      'Make a company that the token reaches a product of the organisation selected, and say where its tables are written.',
    allow: 'seeTokens',
    scope: organisationInBody,
    needsFreshProof: true,
    params: token,
    body: z.strictObject({ tenantId: CompanyId, tenantName: text, creds: Creds, organisationId: OptionalId }),
    reply: AccountingProduct,
    faults: ['settingsWrong', 'secretNeeded', 'tenantTaken', 'sourceRefused', 'sourceAway'],
  }),
  syncTables: route({
    method: 'GET',
    path: '/token/:tokenId/sync-tables',
    summary:
      'Make and widen the tables of every product of the token, each in its database. Doing it twice is doing it once.',
    allow: 'seeTokens',
    scope: 'none',
    changes: true,
    params: token,
    reply: z.array(
      z.object({
        ProductId: z.uuid(),
        CompanyName: z.string(),
        Place: z.string(),
        Notice: z.string().nullable(),
        Tables: z.array(SyncedTable),
      }),
    ),
    faults: ['syncUnderWay', 'tooMany'],
  }),
  mine: route({
    method: 'GET',
    path: '/me/xero2sqlproducts',
    tokenScopes: ['status.read', 'connectors.run'],
    summary: 'The accounting products that the caller may synchronise, by name.',
    allow: 'listConnectors',
    ...ofOrganisation,
    passive: true,
    reply: z.array(AccountingProduct),
  }),
  users: route({
    method: 'GET',
    path: '/users/xero2sqlproduct',
    tokenScopes: ['administer'],
    summary: 'The members with the accounting products that they are assigned to, by first name.',
    allow: 'assignConnectorUsers',
    ...ofOrganisation,
    reply: z.array(ProductUser),
  }),
  linkUser: route({
    method: 'POST',
    path: '/users/:userId/link-xero2sqlproduct',
    tokenScopes: ['administer'],
    summary: 'Assign an accounting product to a member.',
    ...ofMember,
    scope: comOrganisationInBody,
    body: z.strictObject({ comOrganisationId: OptionalId, xero2SqlProductId: Id }),
    reply: empty,
  }),
  unlinkUser: route({
    method: 'DELETE',
    path: '/users/:userId/xero2sqlproduct',
    tokenScopes: ['administer'],
    summary: 'Take an accounting product from a member; without a body, all of them.',
    ...ofMember,
    body: z.strictObject({ xero2SqlProductId: Id }).optional(),
  }),
  setUser: route({
    method: 'PUT',
    path: '/users/:userId/xero2sqlproducts',
    tokenScopes: ['administer'],
    summary: 'The accounting products of a member, as a whole. `before` is what the editor showed.',
    ...ofMember,
    body: z.strictObject({
      ids: z.array(Id).max(20_000),
      before: z.strictObject({ ids: z.array(Id).max(20_000) }).optional(),
    }),
    reply: z.object({ Ids: z.array(z.uuid()) }),
    faults: ['changedMeanwhile'],
  }),
  synchronise: route({
    method: 'POST',
    path: `${products}/incremental`,
    tokenScopes: ['connectors.run'],
    summary: 'Synchronise a product now; at most once in fifteen minutes.',
    allow: 'refreshConnector',
    ...ofConnectorById,
    reply: SyncStarted,
    faults: ['syncTooSoon', 'alreadyRunning', 'notConnected', 'queueFull'],
  }),
  credentials: route({
    method: 'GET',
    path: `${products}/database-credentials`,
    summary: 'Where the product’s tables are written; without the password.',
    allow: 'editConnector',
    ...ofConnectorById,
    reply: ProductCredentials,
  }),
  saveCredentials: route({
    method: 'POST',
    path: `${products}/database-credentials`,
    summary:
      'Say where the product’s tables are written. A change of host, user or encryption asks for the password again.',
    allow: 'editConnector',
    ...ofConnectorById,
    needsFreshProof: true,
    body: ProductCredentialsInput,
    reply: ProductCredentials,
    faults: ['settingsWrong', 'secretNeeded'],
  }),
  checkCredentials: route({
    method: 'POST',
    path: `${products}/database-credentials/check`,
    summary: 'Test credentials before they are saved: reachable, login, schema, tables.',
    allow: 'editConnector',
    ...ofConnectorById,
    body: ProductCredentialsInput,
    reply: z.array(CheckResult.omit({ Side: true })),
    faults: ['settingsWrong', 'secretNeeded', 'tooMany'],
  }),
} as const

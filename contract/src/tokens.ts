/** Access tokens for programs: of people, and of service accounts of an organisation. */
import * as z from 'zod'
import { Id } from './id.ts'
import { PersonName } from './name.ts'
import { route } from './route.ts'
import { forSignedIn, ofClient } from './route-parts.ts'
import { organisationInBody } from './scope.ts'
import { tokenLimits, tokenScopeNames } from './token-scopes.ts'

const Scope = z.enum(tokenScopeNames)

/** A token without its secret. */
export const ApiToken = z.object({
  Id: z.uuid(),
  Name: z.string(),
  OrganisationId: z.uuid(),
  Organisation: z.string(),
  Scopes: z.array(Scope),
  CreatedAtUtc: z.string(),
  ExpiresAtUtc: z.string(),
  LastUsedAtUtc: z.string().nullable(),
  /** The network address and the program of the last use. */
  LastUsedAddress: z.string().nullable(),
  LastUsedProgram: z.string().nullable(),
  /** Calls of the last 30 days. */
  RecentCalls: z.number().int(),
  RevokedAtUtc: z.string().nullable(),
  /** True: an assistant has it by OAuth. */
  IsAssistant: z.boolean(),
})
export type ApiToken = z.infer<typeof ApiToken>

/** As administrators see it. */
export const OwnedApiToken = ApiToken.extend({
  OwnerId: z.uuid(),
  Owner: z.string(),
  IsServiceAccount: z.boolean(),
})
export type OwnedApiToken = z.infer<typeof OwnedApiToken>

/** `Secret` is shown once: only its hash is stored. */
const CreatedToken = z.object({ Secret: z.string(), Token: ApiToken })
export type CreatedToken = z.infer<typeof CreatedToken>

export const TokenPolicy = z.object({
  /** The organisation's own choice. */
  Allowed: z.boolean(),
  /** False: the provider has switched tokens off everywhere. */
  AllowedByProvider: z.boolean(),
})
export type TokenPolicy = z.infer<typeof TokenPolicy>

export const ServiceAccount = z.object({
  Id: z.uuid(),
  Name: z.string(),
  Role: z.enum(['admin', 'user']),
  Status: z.string(),
  CreatedAtUtc: z.string(),
  /** Tokens that are neither expired nor revoked. */
  ValidTokens: z.number().int(),
})
export type ServiceAccount = z.infer<typeof ServiceAccount>

const days = z.number().int().min(1).max(tokenLimits.daysMax).default(tokenLimits.daysDefault)
const newToken = {
  name: z.string().trim().min(1).max(tokenLimits.nameMax),
  scopes: z.array(Scope).min(1).max(tokenScopeNames.length),
  days,
}

/** Making a token needs a second factor, because it works without one. */
const creation = {
  method: 'POST',
  status: 201,
  needsFreshProof: true,
  needsSecondFactor: true,
  reply: CreatedToken,
} as const
const ofToken = { scope: ofClient.scope, params: ofClient.params.extend({ accessTokenId: Id }) }
const ofAccount = { scope: ofClient.scope, params: ofClient.params.extend({ serviceAccountId: Id }) }
const base = '/tributary/clients/:clientId'

export const tokens = {
  list: route({
    method: 'GET',
    path: '/me/access-tokens',
    summary: 'One’s own access tokens of all organisations, newest first. Those that no longer work stay for a year.',
    ...forSignedIn,
    reply: z.array(ApiToken),
  }),
  create: route({
    ...creation,
    path: '/me/access-tokens',
    summary: 'Make an access token for one organisation. Its secret is returned once.',
    allow: 'useTokens',
    scope: organisationInBody,
    body: z.strictObject({ organisationId: Id, ...newToken }),
    faults: ['tokensOff', 'tokensMax'],
  }),
  revoke: route({
    method: 'DELETE',
    path: '/me/access-tokens/:accessTokenId',
    summary: 'Revoke one of one’s own access tokens.',
    ...forSignedIn,
    params: z.strictObject({ accessTokenId: Id }),
  }),
  revokeAll: route({
    method: 'DELETE',
    path: '/me/access-tokens',
    summary: 'Revoke all of one’s own access tokens, in every organisation.',
    ...forSignedIn,
  }),
} as const

export const organisationTokens = {
  list: route({
    method: 'GET',
    path: `${base}/access-tokens`,
    summary: 'The organisation’s access tokens with their owners, newest first.',
    allow: 'manageTokens',
    ...ofClient,
    reply: z.array(OwnedApiToken),
  }),
  policy: route({
    method: 'GET',
    path: `${base}/access-tokens/policy`,
    summary: 'Whether access tokens work in the organisation.',
    allow: 'useTokens',
    ...ofClient,
    reply: TokenPolicy,
  }),
  setPolicy: route({
    method: 'PUT',
    path: `${base}/access-tokens/policy`,
    summary: 'Switch access tokens of the organisation on or off. Switched off, those that exist stop working.',
    allow: 'manageTokens',
    ...ofClient,
    needsFreshProof: true,
    body: z.strictObject({ allowed: z.boolean() }),
    reply: TokenPolicy,
  }),
  revoke: route({
    method: 'DELETE',
    path: `${base}/access-tokens/:accessTokenId`,
    summary: 'Revoke an access token of a member or of a service account.',
    allow: 'manageTokens',
    ...ofToken,
  }),
  serviceAccounts: route({
    method: 'GET',
    path: `${base}/service-accounts`,
    summary: 'The service accounts of the organisation, by name.',
    allow: 'manageTokens',
    ...ofClient,
    reply: z.array(ServiceAccount),
  }),
  addServiceAccount: route({
    method: 'POST',
    path: `${base}/service-accounts`,
    summary:
      'Add a service account. Connectors, groups and tables are assigned to it like to a person. It cannot sign in.',
    allow: 'manageTokens',
    ...ofClient,
    needsFreshProof: true,
    body: z.strictObject({ name: PersonName, role: z.enum(['admin', 'user']) }),
    status: 201,
    reply: ServiceAccount,
    faults: ['nameTaken', 'serviceAccountsMax'],
  }),
  createForServiceAccount: route({
    ...creation,
    path: `${base}/service-accounts/:serviceAccountId/access-tokens`,
    summary: 'Make an access token of a service account. Its secret is returned once.',
    allow: 'manageTokens',
    ...ofAccount,
    body: z.strictObject(newToken),
    faults: ['tokensOff', 'tokensMax'],
  }),
  renew: route({
    ...creation,
    path: `${base}/access-tokens/:accessTokenId/renew`,
    summary: 'Replace the secret and the expiry of a service account’s access token. The former secret stops working.',
    allow: 'manageTokens',
    ...ofToken,
    body: z.strictObject({ days }),
    faults: ['tokensOff'],
  }),
} as const

/** Organisations, and lists for screens about people: users, roles, statuses. */
import * as z from 'zod'
import { roleNames } from './capabilities.ts'
import { Flag } from './flag.ts'
import { Id } from './id.ts'
import { runShareLimits } from './limits.ts'
import { ListQuery, paging } from './paging.ts'
import { Named, Person } from './named.ts'
import { route } from './route.ts'
import { forSignedIn, ofClient, ofOrganisation } from './route-parts.ts'
import { organisationInQuery } from './scope.ts'

export const Organisation = z.object({
  Id: z.uuid(),
  CompanyName: z.string(),
  Key: z.string(),
  /** The id of its Excel product, used by calls about helper tables. */
  Budget2SqlProductId: z.uuid(),
  TimeZone: z.string(),
  /** Its members need a second factor to sign in. */
  RequireMultiFactorAuthentication: z.boolean(),
  /** Archived organisations are visible to the provider only. */
  Archived: z.boolean(),
})
export type Organisation = z.infer<typeof Organisation>

export const Role = z.object({ Id: z.uuid(), DisplayName: z.string(), Name: z.string(), RoleLevel: z.number().int() })
export type Role = z.infer<typeof Role>

export type UserStatus = z.infer<typeof Named>

export const User = Person.extend({
  Role: Named,
  Status: z.object({ Name: z.string() }),
  StatusId: z.uuid(),
  RequireMultiFactorAuthentication: z.boolean(),
  LastSignInAtUtc: z.string().nullable(),
  /** Microsoft's id of the person; null unless the caller is a superadmin. */
  MS_Oid: z.string().nullable(),
})
export type User = z.infer<typeof User>

/** A user in a list: with what is assigned to them, by name. */
export const ListedUser = User.extend({
  /** Asked for a second factor at sign-in: by their own setting, or because the role, an organisation or the provider requires it. */
  SecondFactor: z.boolean(),
  Groups: z.array(Named),
  HelperTables: z.array(Named),
  B2SEntities: z.array(Named),
  Xero2SqlProducts: z.array(z.object({ Id: z.uuid(), CompanyName: z.string() })),
})
export type ListedUser = z.infer<typeof ListedUser>

/** Guests see the id and the name only. */
const SeenUser = ListedUser.partial().required({ Id: true, FirstName: true, LastName: true })
export type SeenUser = z.infer<typeof SeenUser>

const UserQuery = ListQuery.extend({
  /** Adds the provider's people without a membership; for the provider only. */
  withProvider: Flag.optional(),
  /** The filters are refused to callers who see names only. */
  role: z.enum(roleNames).optional(),
  status: z.enum(['active', 'locked', 'archived']).optional(),
  secondFactor: Flag.optional(),
  neverSignedIn: Flag.optional(),
})
export type UserQuery = z.infer<typeof UserQuery>

const runsMax = z.number().int().min(1).max(runShareLimits.runsMax)
const weight = z.number().int().min(1).max(runShareLimits.weightMax)

/** How many runs an organisation has at once, and how often it is served when runs of several organisations wait. */
export const RunShare = z.object({
  RunsMax: runsMax,
  /** An organisation of weight 2 is served twice as often as one of weight 1. */
  Weight: weight,
  /** Runs that count towards the share now. */
  Running: z.number().int().min(0),
  /** Runs that wait because the organisation uses its share. */
  Waiting: z.number().int().min(0),
})
export type RunShare = z.infer<typeof RunShare>

/** A list that is complete without `page` and `pageSize`; `X-Total-Count` returns the total of a page. */
const OrganisationQuery = z.strictObject({
  /** Only this one. */
  id: Id.optional(),
  search: z.string().max(200).optional(),
  ...paging,
})
export type OrganisationQuery = z.infer<typeof OrganisationQuery>

export const organisations = {
  list: route({
    method: 'GET',
    path: '/organisations',
    tokenScopes: ['data.read', 'status.read', 'connectors.run', 'plans.load', 'administer'],
    summary: 'The organisations the caller may work in, by company name.',
    ...forSignedIn,
    query: OrganisationQuery,
    reply: z.array(Organisation),
  }),
  users: route({
    method: 'GET',
    path: '/users',
    tokenScopes: ['administer'],
    summary: 'The members of an organisation, by first name.',
    allow: 'listUsers',
    scope: organisationInQuery,
    query: UserQuery,
    reply: z.array(SeenUser),
  }),
  roles: route({
    method: 'GET',
    path: '/roles',
    tokenScopes: ['administer'],
    summary: 'The roles, most rights first.',
    allow: 'signedIn',
    ...ofOrganisation,
    reply: z.array(Role),
  }),
  statuses: route({
    method: 'GET',
    path: '/statuses',
    tokenScopes: ['plans.load', 'administer'],
    summary: 'The statuses of records and users.',
    allow: 'signedIn',
    ...ofOrganisation,
    reply: z.array(Named),
  }),
  runShare: route({
    method: 'GET',
    path: '/organisations/:clientId/run-share',
    tokenScopes: ['status.read', 'administer'],
    summary: 'The organisation’s share of runs, and how much of it is in use.',
    allow: 'editOrganisation',
    ...ofClient,
    reply: RunShare,
  }),
  changeRunShare: route({
    method: 'PUT',
    path: '/organisations/:clientId/run-share',
    summary:
      'Set how many runs the organisation has at once, and its weight. Runs that wait for the share may begin at once.',
    allow: 'editRunShares',
    ...ofClient,
    body: z.strictObject({ runsMax, weight }),
    reply: RunShare,
  }),
} as const

/** Organisations, and lists for screens about people: users, roles, statuses. */
import * as z from 'zod'
import { Flag } from './flag.ts'
import { Id, orgQuery } from './id.ts'
import { paging } from './paging.ts'
import { route } from './route.ts'
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

export const UserStatus = z.object({ Id: z.uuid(), Name: z.string() })
export type UserStatus = z.infer<typeof UserStatus>

export const User = z.object({
  Id: z.uuid(),
  FirstName: z.string(),
  LastName: z.string(),
  EmailAddress: z.string(),
  Role: z.object({ Id: z.uuid(), Name: z.string() }),
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
  Groups: z.array(z.object({ Id: z.uuid(), Name: z.string() })),
  HelperTables: z.array(z.object({ Id: z.uuid(), Name: z.string() })),
  B2SEntities: z.array(z.object({ Id: z.uuid(), Name: z.string() })),
  Xero2SqlProducts: z.array(z.object({ Id: z.uuid(), CompanyName: z.string() })),
})
export type ListedUser = z.infer<typeof ListedUser>

/** Guests see the id and the name only. */
const SeenUser = ListedUser.partial().required({ Id: true, FirstName: true, LastName: true })
export type SeenUser = z.infer<typeof SeenUser>

/** Pagination of long lists; `X-Total-Count` returns the total. Without them a list is complete. */
export const ListQuery = z.strictObject({
  orgId: Id.optional(),
  search: z.string().max(200).optional(),
  sort: z.enum(['asc', 'desc']).optional(),
  ...paging,
})
export type ListQuery = z.infer<typeof ListQuery>
/** `withProvider` adds the provider's people without a membership; for the provider only. */
const UserQuery = ListQuery.extend({ withProvider: Flag.optional() })

export const organisations = {
  list: route({
    method: 'GET',
    path: '/organisations',
    summary: 'The organisations the caller may work in, by company name.',
    allow: 'signedIn',
    scope: 'none',
    reply: z.array(Organisation),
  }),
  users: route({
    method: 'GET',
    path: '/users',
    summary: 'The members of an organisation, by first name.',
    allow: 'listUsers',
    scope: organisationInQuery,
    query: UserQuery,
    reply: z.array(SeenUser),
  }),
  roles: route({
    method: 'GET',
    path: '/roles',
    summary: 'The roles, most rights first.',
    allow: 'signedIn',
    scope: organisationInQuery,
    query: orgQuery,
    reply: z.array(Role),
  }),
  statuses: route({
    method: 'GET',
    path: '/statuses',
    summary: 'The statuses of records and users.',
    allow: 'signedIn',
    scope: organisationInQuery,
    query: orgQuery,
    reply: z.array(UserStatus),
  }),
} as const

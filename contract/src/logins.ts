/** Logins of persons in the organisation's warehouse, and what each person reads there. */
import * as z from 'zod'
import { Id } from './id.ts'
import { route } from './route.ts'
import { ofClient } from './route-parts.ts'

const time = z.iso.datetime()

/** Polled once a minute. Null: the login was never seen connected. */
const LastSeen = z.object({ AtUtc: time, Address: z.string().nullable(), Program: z.string().nullable() }).nullable()

export const ReadableTable = z.object({
  Schema: z.string(),
  Name: z.string(),
  Kind: z.enum(['connector', 'version', 'helperTable', 'view', 'system']),
  /** The connector, version or helper table that the table belongs to. */
  OwnerId: z.string().nullable(),
  Owner: z.string().nullable(),
  /** Only the rows that the person's rights allow. */
  IsLimitedByRows: z.boolean(),
})

export const OwnLogin = z.object({
  /** False: there is nothing that the person may read. Then there are no tables. */
  MayRead: z.boolean(),
  Host: z.string(),
  Port: z.number().int(),
  Database: z.string().nullable(),
  /** Null: the person has no login yet. */
  User: z.string().nullable(),
  /** Returned once, by the call that creates it. */
  Password: z.string().nullable(),
  PasswordSetAtUtc: time.nullable(),
  LastSeen,
  Tables: z.array(ReadableTable),
  /** Tables of versions and helper tables are in the organisation's own database, to which these logins do not apply. */
  HasOwnDatabase: z.boolean(),
})
export type OwnLogin = z.infer<typeof OwnLogin>

export const OrganisationLogins = z.object({
  Logins: z.array(
    z.object({
      UserId: z.uuid(),
      Name: z.string(),
      EmailAddress: z.string(),
      User: z.string(),
      PasswordSetAtUtc: time,
      LastSeen,
    }),
  ),
  /** False: the login that all reports share cannot sign in. */
  IsSharedReaderOn: z.boolean(),
})
export type OrganisationLogins = z.infer<typeof OrganisationLogins>

const path = '/tributary/clients/:clientId/logins'

export const logins = {
  mine: route({
    method: 'GET',
    path: `${path}/me`,
    summary: 'One’s own login in the warehouse, without the password, and the tables that it reads.',
    allow: 'readData',
    ...ofClient,
    reply: OwnLogin,
    faults: ['warehouseUnreachable'],
  }),
  newPassword: route({
    method: 'POST',
    path: `${path}/me/password`,
    summary: 'Create one’s own login, or a new password for it, which is returned once. The former one stops working.',
    allow: 'readData',
    ...ofClient,
    needsFreshProof: true,
    reply: OwnLogin,
    faults: ['dataNotReadable', 'warehouseUnreachable'],
  }),
  revoke: route({
    method: 'DELETE',
    path: `${path}/me`,
    summary: 'Revoke one’s own login and end its connections.',
    allow: 'readData',
    ...ofClient,
    faults: ['warehouseUnreachable'],
  }),
  list: route({
    method: 'GET',
    path,
    summary: 'The logins of all people of the organisation with their last use, and whether the shared login works.',
    allow: 'seeWarehouse',
    ...ofClient,
    reply: OrganisationLogins,
  }),
  revokeOf: route({
    method: 'DELETE',
    path: `${path}/:userId`,
    summary: 'Revoke the login of a person and end its connections.',
    allow: 'seeWarehouse',
    scope: ofClient.scope,
    params: ofClient.params.extend({ userId: Id }),
    faults: ['warehouseUnreachable'],
  }),
  switchSharedReader: route({
    method: 'PUT',
    path: `${path}/shared`,
    summary: 'Let the login that all reports share sign in, or not. Switching it off ends its connections.',
    allow: 'seeWarehouse',
    ...ofClient,
    body: z.strictObject({ on: z.boolean() }),
    faults: ['warehouseUnreachable'],
  }),
} as const

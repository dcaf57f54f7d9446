/** The warehouse: where connectors without a target of their own store rows, and how to connect to it. */
import * as z from 'zod'
import { route } from './route.ts'
import { ofClient } from './route-parts.ts'

const time = z.iso.datetime()

/** Connection details for SQL clients and Power BI. `Password` is returned once, by the call that creates it. */
export const Warehouse = z.object({
  Host: z.string(),
  Port: z.number().int(),
  /** Of its server, as the provider names it. */
  Region: z.string().nullable(),
  Database: z.string(),
  User: z.string(),
  Password: z.string().nullable(),
  /** Null until a password is created; until then the login cannot be used. */
  PasswordSetAtUtc: time.nullable(),
  /**
   * When the login was last seen connected (polled once a minute), and its application name in PostgreSQL; null if
   * never.
   */
  LastSeen: z.object({ AtUtc: time, Address: z.string().nullable(), Program: z.string().nullable() }).nullable(),
  Schemas: z.array(z.string()),
})
export type Warehouse = z.infer<typeof Warehouse>

const path = '/tributary/clients/:clientId/warehouse'

export const warehouse = {
  read: route({
    method: 'GET',
    path,
    summary: 'How to connect to the organisation’s warehouse, and its last connection; without the password.',
    allow: 'seeWarehouse',
    ...ofClient,
    reply: Warehouse,
  }),
  newPassword: route({
    method: 'POST',
    path: `${path}/password`,
    summary: 'Create a new password for the read-only login and return it once. The former one stops working.',
    allow: 'seeWarehouse',
    ...ofClient,
    needsFreshProof: true,
    reply: Warehouse,
  }),
  pbids: route({
    method: 'GET',
    path: `${path}/tributary.pbids`,
    summary: 'A file that opens Power BI Desktop on this warehouse.',
    allow: 'seeWarehouse',
    ...ofClient,
    reply: z.object({ version: z.string(), connections: z.array(z.unknown()) }),
  }),
} as const

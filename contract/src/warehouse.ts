/** The product's own warehouse: where a connector without a target keeps its rows, and how to read them. */
import * as z from 'zod'
import { Id } from './id.ts'
import { route } from './route.ts'
import { clientInPath } from './scope.ts'

const time = z.iso.datetime()

/** What a SQL client or Power BI needs. `Password` is told once, by the call that makes it. */
export const Warehouse = z.object({
  Host: z.string(),
  Port: z.number().int(),
  Database: z.string(),
  User: z.string(),
  Password: z.string().nullable(),
  /** Null while no password was made, so that nothing can use the login. */
  PasswordSetAtUtc: time.nullable(),
  /** When the login was last seen connected, by a look once a minute, and what PostgreSQL knew of the program; null while it never was. */
  LastSeen: z.object({ AtUtc: time, Address: z.string().nullable(), Program: z.string().nullable() }).nullable(),
  Schemas: z.array(z.string()),
})
export type Warehouse = z.infer<typeof Warehouse>

const client = z.object({ clientId: Id })
const path = '/tributary/clients/:clientId/warehouse'

export const warehouse = {
  read: route({
    method: 'GET',
    path,
    summary: 'How to connect to the organisation’s warehouse, and who last did; the password is not told.',
    allow: 'seeWarehouse',
    scope: clientInPath,
    params: client,
    reply: Warehouse,
  }),
  newPassword: route({
    method: 'POST',
    path: `${path}/password`,
    summary: 'Make a new password for the read-only login and tell it, once. The former one stops working.',
    allow: 'seeWarehouse',
    scope: clientInPath,
    needsFreshProof: true,
    params: client,
    reply: Warehouse,
  }),
  pbids: route({
    method: 'GET',
    path: `${path}/tributary.pbids`,
    summary: 'A file that opens Power BI Desktop on this warehouse.',
    allow: 'seeWarehouse',
    scope: clientInPath,
    params: client,
    reply: z.object({ version: z.string(), connections: z.array(z.unknown()) }),
  }),
} as const

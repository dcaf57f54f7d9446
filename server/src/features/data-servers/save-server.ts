/** Registers, changes and removes servers that hold warehouses. */
import { randomUUID } from 'node:crypto'
import type { dataServers } from '@tributary/contract/data-servers'
import type * as z from 'zod'
import type { AppServices } from '../../app-services.ts'
import { checkServer } from '../../access/warehouse/servers/check-server.ts'
import {
  findServer,
  getServer,
  passwordLocation,
  type ServerAddress,
  type ServerRow,
  serverAt,
} from '../../access/warehouse/servers/server-rows.ts'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { badField, detailedFault, nameTakenFault, requireFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isUniqueViolation } from '../../kernel/store/unique-violation.ts'

type SaveServices = Pick<AppServices, 'audit' | 'secrets' | 'store'>
type NewServer = z.output<typeof dataServers.create.body>
type ServerChange = z.output<typeof dataServers.save.body>
type AddressInput = Omit<NonNullable<ServerChange['address']>, 'password'>

/** Throws `settingsWrong` if the server does not answer or its role lacks rights. */
export async function createServer(
  services: SaveServices,
  auditContext: AuditContext,
  { address, ...input }: NewServer,
): Promise<ServerRow> {
  const { password } = address
  const columns = { ...input, ...addressColumns(address) }
  await requireReady(columns, password)
  const id = randomUUID()
  // Across, here and below: servers belong to no organisation.
  return await services.store.across(async (db) => {
    const sealed = await services.secrets.encrypt(db, passwordLocation(id), password)
    await db
      .insertInto('warehouseServer')
      .values({ id, ...columns, password: sealed })
      .execute()
      .catch(toNameTaken(input.name))
    await recordSaved(db, services, auditContext, { id, name: input.name, isNew: true })
    return await getServer(db, id)
  })
}

/** Throws `badInput` for an address of the default server, and `settingsWrong` as `createServer`. */
export async function saveServer(
  services: SaveServices,
  auditContext: AuditContext,
  id: string,
  { address, ...input }: ServerChange,
): Promise<ServerRow> {
  const { stored, former } = await services.store.across(async (db) => {
    const row = requireFound(await findServer(db, id))
    const clear = row.password === null ? null : await services.secrets.decrypt(db, passwordLocation(id), row.password)
    return { stored: row, former: clear }
  })
  if (stored.isDefault && address !== undefined) throw badField('address', 'comes from the settings of this server')
  const changed = address === undefined ? null : await acceptAddress(stored, address, former)
  return await services.store.across(async (db) => {
    const sealed =
      changed === null
        ? {}
        : {
            ...changed.columns,
            password: await services.secrets.encrypt(db, passwordLocation(id), changed.password),
          }
    await db
      .updateTable('warehouseServer')
      .set({ ...input, ...sealed })
      .where('id', '=', id)
      .execute()
      .catch(toNameTaken(input.name))
    await recordSaved(db, services, auditContext, { id, name: input.name, isNew: false })
    return await getServer(db, id)
  })
}

/** Without a new password the stored one is used, which goes only to the address that it was entered for. */
async function acceptAddress(
  stored: ServerRow,
  { password, ...input }: NonNullable<ServerChange['address']>,
  former: string | null,
): Promise<{ readonly columns: ServerAddress; readonly password: string }> {
  const columns = addressColumns(input)
  const isSame = stored.host === columns.host && stored.port === columns.port && stored.userName === columns.userName
  if (password === undefined && (!isSame || former === null))
    throw badField('password', 'is missing: the stored one belongs to the former address')
  const used = password ?? former ?? ''
  await requireReady(columns, used)
  return { columns, password: used }
}

async function requireReady(address: ServerAddress, password: string): Promise<void> {
  const { isReady, problems } = await checkServer(serverAt(address, password))
  if (!isReady) throw detailedFault('settingsWrong', problems.join(' '))
}

/** Throws `settingsWrong` for the default server and for one that a warehouse is on, or a copy of one. */
export async function removeServer(services: SaveServices, auditContext: AuditContext, id: string): Promise<void> {
  await services.store.across(async (db) => {
    const row = requireFound(await findServer(db, id))
    const uses = await countMoves(db, id)
    if (row.isDefault) throw detailedFault('settingsWrong', 'The default server comes from the settings, and stays.')
    if (row.databases > 0 || uses > 0)
      throw detailedFault('settingsWrong', `Warehouses are on ${row.name}. Move them to another server first.`)
    await db
      .deleteFrom('warehouseMove')
      .where((eb) => eb.or([eb('fromServer', '=', id), eb('toServer', '=', id)]))
      .execute()
    await db.deleteFrom('warehouseServer').where('id', '=', id).execute()
    const object = { type: 'data_server', id }
    await services.audit.record(db, auditContext, {
      action: 'data_server.removed',
      object,
      detail: { before: { name: row.name } },
    })
  })
}

/** Moves that still need the server. */
async function countMoves(db: Db, id: string): Promise<number> {
  const { moves } = await db
    .selectFrom('warehouseMove')
    .select((eb) => eb.fn.countAll<number>().as('moves'))
    .where((eb) => eb.or([eb('fromServer', '=', id), eb('toServer', '=', id)]))
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return moves
}

function addressColumns({ host, port, database, user, tls, caCertificate }: AddressInput): ServerAddress {
  return { host, port, databaseName: database, userName: user, tls, caCertificate: caCertificate || null }
}

function toNameTaken(name: string): (error: unknown) => never {
  return (error) => {
    throw isUniqueViolation(error) ? nameTakenFault(name) : error
  }
}

interface SavedServer {
  readonly id: string
  readonly name: string
  readonly isNew: boolean
}

async function recordSaved(
  db: Db,
  { audit }: SaveServices,
  auditContext: AuditContext,
  { id, name, isNew }: SavedServer,
): Promise<void> {
  const object = { type: 'data_server', id }
  await audit.record(db, auditContext, { action: 'data_server.saved', object, detail: { after: { name, isNew } } })
}

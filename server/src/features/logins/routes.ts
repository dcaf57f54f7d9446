/** The calls about the logins of persons in the organisation's warehouse. */
import { logins } from '@tributary/contract/logins'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { findPrincipal } from '../../access/logins/queries.ts'
import { principalRoles } from '../../access/logins/role-names.ts'
import { setSharedReader } from '../../access/logins/shared-reader.ts'
import { createSqlLogin, revokeSqlLogin } from '../../access/logins/sql-login.ts'
import { listTables, type ReadableTable } from '../../access/query/list-tables.ts'
import { listReadableTables } from '../../access/query/readable-tables.ts'
import { readerAddressOf } from '../../access/warehouse/servers/reader-address.ts'
import { defaultServerId, serverOf } from '../../access/warehouse/servers/server-of.ts'
import { sampleReadersOf } from '../../access/warehouse/reader-last-seen.ts'
import { findWarehouse } from '../../access/warehouse/queries.ts'
import { isMember } from '../../identity/people/members.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault, notFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { hasOwnDatabase, listOwnerNames, listSqlLogins } from './queries.ts'

export function loginRoutes(app: AppRoutes): void {
  const { services } = app

  app.bind(logins.mine, ({ organisationId, actor }) =>
    reached(async () => {
      const found = await services.store.within(organisationId, (db) => findWarehouse(db, organisationId))
      if (found !== undefined) await sampleReadersOf(services, await serverOf(services, found))
      return describeOwn(services, organisationId, actor, null)
    }),
  )

  app.bind(logins.newPassword, async ({ store, organisationId, actor, auditContext }) => {
    const readable = await store.within(organisationId, (db) => listReadableTables(db, organisationId, actor))
    if (!readable.mayRead) throw new ApiFault('dataNotReadable')
    const { userId } = actor
    const record = (db: Db) =>
      services.audit.record(db, auditContext, {
        action: 'warehouse.login_created',
        object: { type: 'user', id: userId },
      })
    return reached(async () => {
      const { password } = await createSqlLogin(services, { organisationId, userId }, record)
      return describeOwn(services, organisationId, actor, password)
    })
  })

  app.bind(logins.revoke, ({ organisationId, actor, auditContext }) =>
    revoke(services, { organisationId, userId: actor.userId }, auditContext),
  )

  app.bindWithin(logins.list, async (db, { organisationId }) => {
    const rows = await listSqlLogins(db, organisationId)
    const found = await findWarehouse(db, organisationId)
    return {
      isSharedReaderOn: found !== undefined && found.readerDisabledAt === null,
      logins: rows.map((row) => ({
        userId: row.userId,
        name: `${row.firstName} ${row.lastName}`,
        emailAddress: row.emailAddress,
        user: principalRoles(row.databaseName, row.id).sql,
        passwordSetAtUtc: row.sqlCreatedAt ?? '',
        lastSeen: describeLastSeen(row),
      })),
    }
  })

  app.bind(logins.revokeOf, async ({ store, organisationId, params, auditContext }) => {
    const { userId } = params
    const isKnown = await store.within(
      organisationId,
      async (db) =>
        (await isMember(db, organisationId, userId)) || (await findPrincipal(db, organisationId, userId)) !== undefined,
    )
    if (!isKnown) throw notFound()
    await revoke(services, { organisationId, userId }, auditContext)
  })

  app.bind(logins.switchSharedReader, ({ organisationId, auditContext, body }) =>
    reached(() => setSharedReader(services, { organisationId, isOn: body.on }, auditContext)),
  )
}

async function revoke(
  services: AppServices,
  owner: { readonly organisationId: string; readonly userId: string },
  auditContext: Parameters<AppServices['audit']['record']>[1],
): Promise<void> {
  const object = { type: 'user', id: owner.userId } as const
  await reached(() =>
    revokeSqlLogin(services, owner, (db) =>
      services.audit.record(db, auditContext, { action: 'warehouse.login_revoked', object }),
    ),
  )
}

/** Faults of the driver and of the warehouse are `warehouseUnreachable`; those of the call stay. */
async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw cause instanceof ApiFault ? cause : new ApiFault('warehouseUnreachable', { cause })
  }
}

async function describeOwn(services: AppServices, organisationId: string, actor: Actor, password: string | null) {
  const { store } = services
  const tables = await listTables(services, organisationId, actor)
  const placed = await store.within(organisationId, (db) => findWarehouse(db, organisationId))
  const { host, port } = await readerAddressOf(services, placed ?? { organisationId, serverId: defaultServerId })
  return store.within(organisationId, async (db) => {
    const readable = await listReadableTables(db, organisationId, actor)
    const names = await findWarehouse(db, organisationId)
    const principal = await findPrincipal(db, organisationId, actor.userId)
    const owners = await listOwnerNames(db, organisationId)
    const hasLogin = names !== undefined && principal !== undefined && principal.sqlVerifier !== null
    return {
      mayRead: readable.mayRead,
      host,
      port,
      database: readable.mayRead ? (names?.databaseName ?? null) : null,
      user: hasLogin ? principalRoles(names.databaseName, principal.id).sql : null,
      password,
      passwordSetAtUtc: principal?.sqlCreatedAt ?? null,
      lastSeen: principal === undefined ? null : describeLastSeen(principal),
      tables: tables.map((table) => describeTable(table, owners)),
      hasOwnDatabase: await hasOwnDatabase(db, organisationId),
    }
  })
}

function describeTable({ schema, name, owner, isLimitedByRows }: ReadableTable, names: ReadonlyMap<string, string>) {
  const ownerId = owner.kind === 'connector' ? owner.connectorId : 'recordId' in owner ? owner.recordId : null
  return { schema, name, kind: owner.kind, ownerId, owner: names.get(ownerId ?? '') ?? null, isLimitedByRows }
}

interface Seen {
  readonly seenAt: string | null
  readonly seenAddress: string | null
  readonly seenProgram: string | null
}

function describeLastSeen({ seenAt, seenAddress, seenProgram }: Seen) {
  return seenAt === null ? null : { atUtc: seenAt, address: seenAddress, program: seenProgram }
}

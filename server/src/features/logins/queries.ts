import type { Db } from '../../kernel/store/store.ts'

/** Everyone who has a SQL login, by name. */
export function listSqlLogins(db: Db, organisationId: string) {
  return db
    .selectFrom('warehousePrincipal')
    .innerJoin('portalUser', 'portalUser.id', 'warehousePrincipal.userId')
    .innerJoin('warehouse', 'warehouse.organisationId', 'warehousePrincipal.organisationId')
    .select([
      'warehousePrincipal.id',
      'warehousePrincipal.userId',
      'firstName',
      'lastName',
      'emailAddress',
      'sqlCreatedAt',
      'seenAt',
      'seenAddress',
      'seenProgram',
      'warehouse.databaseName',
      'warehouse.readerDisabledAt',
    ])
    .where('warehousePrincipal.organisationId', '=', organisationId)
    .where('sqlVerifier', 'is not', null)
    .orderBy('firstName')
    .orderBy('lastName')
    .execute()
}

export async function hasOwnDatabase(db: Db, organisationId: string): Promise<boolean> {
  const found = await db
    .selectFrom('databaseCredential')
    .select('organisationId')
    .where('organisationId', '=', organisationId)
    .executeTakeFirst()
  return found !== undefined
}

/** The names of connectors, versions and helper tables, by id. */
export async function listOwnerNames(db: Db, organisationId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('connector')
    .select(['id', 'name'])
    .where('organisationId', '=', organisationId)
    .unionAll(db.selectFrom('version').select(['id', 'name']).where('organisationId', '=', organisationId))
    .unionAll(db.selectFrom('helperTable').select(['id', 'name']).where('organisationId', '=', organisationId))
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

import { selectFullName } from '../../identity/people/full-name.ts'
import type { Db } from '../../kernel/store/store.ts'

function selectDescriptions(db: Db) {
  return db
    .selectFrom('workbenchDescription')
    .leftJoin('portalUser', 'portalUser.id', 'workbenchDescription.changedBy')
    .select([
      'workbenchDescription.id',
      'workbenchDescription.name',
      'workbenchDescription.revision',
      'workbenchDescription.changedAt as changedAtUtc',
      selectFullName('workbenchDescription.changedBy').as('changedBy'),
    ])
}

/** Without their texts. */
export function listDescriptions(db: Db) {
  return selectDescriptions(db)
    .orderBy('workbenchDescription.changedAt', 'desc')
    .orderBy('workbenchDescription.id')
    .execute()
}

export function findDescription(db: Db, id: string) {
  return selectDescriptions(db)
    .select('workbenchDescription.text')
    .where('workbenchDescription.id', '=', id)
    .executeTakeFirst()
}

/** Held until the transaction ends, so that concurrent saves are compared with the right revision. */
export function lockDescription(db: Db, id: string) {
  return db
    .selectFrom('workbenchDescription')
    .select(['name', 'text', 'revision'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export interface DescriptionChange {
  readonly name: string
  readonly text: string
  readonly changedAt: string
  readonly changedBy: string
}

export async function insertDescription(db: Db, values: DescriptionChange): Promise<string> {
  const { id } = await db.insertInto('workbenchDescription').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateDescription(
  db: Db,
  id: string,
  change: DescriptionChange & { readonly revision: number },
): Promise<void> {
  await db.updateTable('workbenchDescription').set(change).where('id', '=', id).execute()
}

export async function deleteDescription(db: Db, id: string): Promise<void> {
  await db.deleteFrom('workbenchDescription').where('id', '=', id).execute()
}

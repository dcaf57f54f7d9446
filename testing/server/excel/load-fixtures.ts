/** A load with one row in each of its tables, and sample bodies of the load routes. */
import { randomUUID } from 'node:crypto'
import type { Db } from '../../../server/src/kernel/store/store.ts'

export const loadBodies: Readonly<Record<string, object>> = {
  'POST /loads': {
    versionId: randomUUID(),
    source: 'portal',
    workbook: 'plan.xlsx',
    sheet: 'Plan',
    columns: ['Amount'],
  },
  'PUT /loads/:loadId/chunks/:number': { rows: [[{ n: '1' }]] },
  'POST /loads/:loadId/commit': { seen: 'nothing' },
  'POST /loads/:loadId/undo': { source: 'portal' },
}

/** Required query parameters in addition to the organisation. */
export const loadQueries: Readonly<Record<string, string>> = {
  'POST /loads/files': '&name=plan.csv',
  'GET /loads/files/:fileId/columns': '&sheet=Plan&firstRow=1',
}

/** The ids of a load and a file, and the number of a chunk. */
export type LoadFixtures = Readonly<Record<'loadId' | 'number' | 'fileId', string>>

export async function insertLoad(db: Db, organisationId: string, userId: string): Promise<LoadFixtures> {
  const where = {
    source: 'portal' as const,
    workbook: 'plan.xlsx',
    sheet: 'Plan',
    firstRow: 1,
    firstColumn: 1,
    columns: ['Amount'],
  }
  const named = { recordName: 'A version', tableName: 'B2SAversion' }
  const { id: loadId } = await db
    .insertInto('load')
    .values({ organisationId, userId, ...where, ...named, status: 'LOADED', committedAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('loadChunk').values({ organisationId, loadId, number: 1, rows: '[]' }).execute()
  const names = { entity: 'One', area: 'Kitchen', subarea: 'Bar', milestone: 'June' }
  const slice = { sliceId: randomUUID(), rows: 1, formerRows: 0, former: Buffer.from('') }
  await db
    .insertInto('loadSlice')
    .values({ organisationId, loadId, ...names, ...slice })
    .execute()
  await db
    .insertInto('loadChange')
    .values({ organisationId, loadId, sliceId: slice.sliceId, kind: 'added', new: '{}' })
    .execute()
  const { id: fileId } = await db
    .insertInto('loadFile')
    .values({ organisationId, userId, name: 'plan.csv', sheets: '[]' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('loadFileChunk')
    .values({ organisationId, fileId, sheet: 'Plan', number: 1, rows: '[]' })
    .execute()
  return { loadId, number: '1', fileId }
}

/** Uploaded files: received up to a size limit, parsed into rows in the store, kept for an hour. */
import type { FileHandle } from 'node:fs/promises'
import { open, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileMaxBytes } from '@tributary/contract/limits'
import { loads } from '@tributary/contract/loads'
import type { AppRoutes } from '../../../app-services.ts'
import { ApiFault, detailedFault } from '../../../kernel/http/api-fault.ts'
import { readSheets } from '../../../planning/sheet-files/read-sheets.ts'
import type { SheetChunk, SheetSummary } from '../../../planning/sheet-files/sheet.ts'
import { UnreadableFile } from '../../../planning/sheet-files/unreadable-file.ts'
import type { Db, Store } from '../../../kernel/store/store.ts'
import { readFileColumns } from './file-columns.ts'
import { ownsFile } from '../queries.ts'

const fileLimit = {
  kind: 'file to load',
  free: 60,
  waitMs: 10_000,
  waitMaxMs: 600_000,
  windowMs: 3_600_000,
  isShared: true,
}
/** Files per user; one more replaces the oldest. */
const keptFilesMax = 5

export function fileRoutes({ bind, bindWithin, services }: AppRoutes): void {
  bind(loads.readFile, async ({ store, organisationId, actor, query, request, reply, signal }) => {
    await services.throttle.attempt(fileLimit, actor.userId)
    // An upload that is refused midway must close the connection, which would otherwise wait for the rest of the body.
    reply.header('connection', 'close')
    await using file = await receive(request.body)
    reply.removeHeader('connection')
    const fileId = await beginFile(store, organisationId, { userId: actor.userId, name: query.name })
    try {
      const take = async (chunk: SheetChunk) => {
        const row = { organisationId, fileId, ...chunk }
        await store.within(organisationId, (db) => db.insertInto('loadFileChunk').values(row).execute())
      }
      const sheets = await readSheets({ fd: file.fd, signal, take, slashDates: query.slashDates })
      await store.within(organisationId, (db) => completeFile(db, organisationId, { fileId, sheets }))
      return { id: fileId, name: query.name, sheets: sheets.map(toSheetReply) }
    } catch (error) {
      await store.within(organisationId, (db) => deleteFile(db, organisationId, fileId))
      throw toFault(error, signal)
    }
  })

  bindWithin(
    loads.fileColumns,
    async (db, { organisationId, actor: { userId }, params: { fileId }, query: { sheet, firstRow } }) => {
      if (!(await ownsFile(db, organisationId, { id: fileId, userId }))) throw new ApiFault('notFound')
      return await readFileColumns(db, organisationId, { fileId, sheet, firstRow })
    },
  )
}

/** An aborted request is an incomplete upload, not a failure of the server. */
function toFault(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof UnreadableFile) return detailedFault('fileUnreadable', error.message, { cause: error })
  return signal.aborted ? incompleteUpload(error) : error
}

/** Unlinks the temporary file at once, so that nothing stays on the disk if the process dies. */
async function receive(body: unknown): Promise<FileHandle> {
  const path = join(tmpdir(), `tributary-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await rm(path)
    let size = 0
    for await (const piece of body instanceof Readable ? body : []) {
      size += (piece as Buffer).length
      if (size > fileMaxBytes) throw new ApiFault('tooLarge', { values: { limit: `${fileMaxBytes / 1_048_576} MiB` } })
      await file.write(piece as Buffer)
    }
    return file
  } catch (error) {
    await file.close()
    // The connection ended before the file did.
    throw (error as NodeJS.ErrnoException).code === 'ECONNRESET' ? incompleteUpload(error) : error
  }
}

function incompleteUpload(cause: unknown): ApiFault {
  return detailedFault('fileUnreadable', 'The upload was interrupted. Upload the file again.', { cause })
}

function beginFile(
  store: Store,
  organisationId: string,
  { userId, name }: { readonly userId: string; readonly name: string },
): Promise<string> {
  return store.within(organisationId, async (db) => {
    const older = db
      .selectFrom('loadFile')
      .select('id')
      .where('organisationId', '=', organisationId)
      .where('userId', '=', userId)
      .orderBy('createdAt', 'desc')
      .offset(keptFilesMax - 1)
    await db.deleteFrom('loadFile').where('organisationId', '=', organisationId).where('id', 'in', older).execute()
    // No sheets until the file is read completely, so that a partly read file cannot be loaded.
    const values = { organisationId, userId, name, sheets: '[]' }
    return (await db.insertInto('loadFile').values(values).returning('id').executeTakeFirstOrThrow()).id
  })
}

async function completeFile(
  db: Db,
  organisationId: string,
  { fileId, sheets }: { readonly fileId: string; readonly sheets: readonly SheetSummary[] },
): Promise<void> {
  await db
    .updateTable('loadFile')
    .set({ sheets: JSON.stringify(sheets) })
    .where('organisationId', '=', organisationId)
    .where('id', '=', fileId)
    .execute()
}

async function deleteFile(db: Db, organisationId: string, fileId: string): Promise<void> {
  await db.deleteFrom('loadFile').where('organisationId', '=', organisationId).where('id', '=', fileId).execute()
}

function toSheetReply({ firstRows, ...sheet }: SheetSummary) {
  return { ...sheet, firstRows: firstRows.map((row) => [...row]) }
}

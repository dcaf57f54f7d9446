/** The tables of loads: receipts, chunks, what was replaced, and the change log. */
import type { Generated, GeneratedAlways } from 'kysely'
import type { Json, JsonWithDefault, TimeOrNull, TimeWithDefault } from './column-types.ts'

interface LoadTable {
  id: Generated<string>
  organisationId: string
  versionId: string | null
  helperTableId: string | null
  recordName: string
  tableName: string
  userId: string
  source: 'portal' | 'addin'
  workbook: string
  sheet: string
  firstRow: number
  firstColumn: number
  columns: string[]
  defaults: JsonWithDefault
  chosenTypes: JsonWithDefault
  status: Generated<'RECEIVING' | 'COMMITTING' | 'LOADED' | 'UNDONE' | 'CANCELLED' | 'FAILED'>
  fileId: string | null
  undoes: string | null
  rows: Generated<number>
  rowsBefore: Generated<number>
  totals: JsonWithDefault
  types: JsonWithDefault
  changes: Generated<number>
  beganAt: TimeWithDefault
  committingAt: TimeOrNull
  committedAt: TimeOrNull
}

interface LoadChunkTable {
  organisationId: string
  loadId: string
  number: number
  rows: Json
}

interface LoadSliceTable {
  organisationId: string
  loadId: string
  sliceId: string
  entity: string
  area: string
  subarea: string
  milestone: string
  rows: number
  formerRows: number
  formerLoadId: string | null
  formerBy: string | null
  formerAt: TimeOrNull
  former: Buffer
}

interface SliceTable {
  organisationId: string
  sliceId: string
  versionId: string
  entityId: string
  areaId: string
  subareaId: string
  milestoneId: string
}

interface LoadChangeTable {
  id: GeneratedAlways<number>
  organisationId: string
  loadId: string
  sliceId: string
  cell: string | null
  kind: 'changed' | 'added' | 'removed'
  columnName: string | null
  old: string | null
  new: string | null
}

interface LoadFileTable {
  id: Generated<string>
  organisationId: string
  userId: string
  name: string
  sheets: Json
  createdAt: TimeWithDefault
}

interface LoadFileChunkTable {
  organisationId: string
  fileId: string
  sheet: string
  number: number
  rows: Json
}

export interface LoadsSchema {
  load: LoadTable
  loadChunk: LoadChunkTable
  loadSlice: LoadSliceTable
  slice: SliceTable
  loadChange: LoadChangeTable
  loadFile: LoadFileTable
  loadFileChunk: LoadFileChunkTable
}

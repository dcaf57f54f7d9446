/** The tables of loads: receipts, chunks, replaced slices and the change log. */
import type { Generated, GeneratedAlways } from 'kysely'
import type { JsonColumn, JsonColumnWithDefault, NullableTimeColumn, TimeColumnWithDefault } from './column-types.ts'

export interface LoadsSchema {
  load: {
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
    defaults: JsonColumnWithDefault
    chosenTypes: JsonColumnWithDefault
    status: Generated<'RECEIVING' | 'COMMITTING' | 'LOADED' | 'UNDONE' | 'CANCELLED' | 'FAILED'>
    fileId: string | null
    undoes: string | null
    rows: Generated<number>
    rowsBefore: Generated<number>
    totals: JsonColumnWithDefault
    types: JsonColumnWithDefault
    changes: Generated<number>
    beganAt: TimeColumnWithDefault
    committingAt: NullableTimeColumn
    committedAt: NullableTimeColumn
  }

  loadChunk: {
    organisationId: string
    loadId: string
    number: number
    rows: JsonColumn
  }

  loadSlice: {
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
    formerAt: NullableTimeColumn
    former: Buffer
  }

  slice: {
    organisationId: string
    sliceId: string
    versionId: string
    entityId: string
    areaId: string
    subareaId: string
    milestoneId: string
  }

  loadChange: {
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

  loadFile: {
    id: Generated<string>
    organisationId: string
    userId: string
    name: string
    sheets: JsonColumn
    createdAt: TimeColumnWithDefault
  }

  loadFileChunk: {
    organisationId: string
    fileId: string
    sheet: string
    number: number
    rows: JsonColumn
  }
}

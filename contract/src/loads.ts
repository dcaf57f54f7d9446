/**
 * Loads: a sheet moved into the table of a version or a helper table, within the caller's rights. A load is begun,
 * receives its rows in chunks or from an uploaded file, is checked, and committed atomically. It can be undone.
 */
import * as z from 'zod'
import { Id, orgQuery } from './id.ts'
import { BeginLoad, LoadSource } from './load-request.ts'
import { SheetCell } from './cells.ts'
import { columnTypes } from './column-types.ts'
import { LoadColumn, LoadKind } from './load-columns.ts'
import { chunkRowsMax, sheetColumnsMax } from './limits.ts'
import { Named } from './named.ts'
import { paging } from './paging.ts'
import { route, workbookType } from './route.ts'
import { ofOrganisation, ofRecord } from './route-parts.ts'
import { comOrganisationInBody, organisationInQuery } from './scope.ts'

const time = z.iso.datetime()
const count = z.number().int().min(0)
/** Exact, as text: `-1234.50`. */
const amount = z.string()

const Type = z.enum(columnTypes)
/** A table that the caller may load into, or only read: versions with their milestones, and helper tables. */
export const LoadTargetTable = z.object({
  Id: z.uuid(),
  Kind: z.enum(['version', 'helperTable']),
  Name: z.string(),
  /** The full names in the database and in the sheet. */
  SqlName: z.string(),
  ExcelName: z.string(),
  MayWrite: z.boolean(),
  /** The columns that earlier loads created. Other columns of a sheet are new. */
  Columns: z.array(z.object({ Name: z.string(), Type })),
  Milestones: z.array(Named.extend({ MayWrite: z.boolean() })),
})
export type LoadTargetTable = z.infer<typeof LoadTargetTable>

/** A slice: one combination in a sheet, replaced as a whole. A helper table has one slice, with empty names. */
export const LoadSlice = z.object({
  Entity: z.string(),
  Area: z.string(),
  Subarea: z.string(),
  Milestone: z.string(),
  Rows: count,
  /** The stored rows of the slice, and who loaded them and when. */
  FormerRows: count,
  FormerBy: z.string().nullable(),
  FormerAtUtc: time.nullable(),
})
export type LoadSlice = z.infer<typeof LoadSlice>

/** `Cell`: such as `C17`; null if the error concerns no single cell. */
export const LoadError = z.object({
  Cell: z.string().nullable(),
  Column: z.string().nullable(),
  Value: z.string().nullable(),
  Message: z.string(),
})
export type LoadError = z.infer<typeof LoadError>

/** The sum of a column of measures. Numeric codes, such as accounts and years, are not summed. */
export const LoadTotal = z.object({ Column: z.string(), Before: amount, After: amount })

export const loadStatuses = ['RECEIVING', 'COMMITTING', 'LOADED', 'UNDONE', 'CANCELLED', 'FAILED'] as const
export const Load = z.object({
  Id: z.uuid(),
  Status: z.enum(loadStatuses),
  Kind: z.enum(['version', 'helperTable']),
  /** The version or helper table; null once it was deleted. */
  RecordId: z.uuid().nullable(),
  RecordName: z.string(),
  TableName: z.string(),
  Workbook: z.string(),
  Sheet: z.string(),
  Source: LoadSource,
  By: z.string(),
  BeganAtUtc: time,
  CommittedAtUtc: time.nullable(),
  Rows: count,
  RowsBefore: count,
  Slices: z.array(LoadSlice),
  Totals: z.array(LoadTotal),
  Changes: count,
  /** The load that this one undoes, and the one that undid this one. */
  Undoes: z.uuid().nullable(),
  UndoneBy: z.uuid().nullable(),
  MayUndo: z.boolean(),
})
export type Load = z.infer<typeof Load>

/** The preview of a commit. Any error prevents it. Send `Seen` with the commit. */
export const LoadCheck = z.object({
  Rows: count,
  Columns: z.array(LoadColumn),
  Slices: z.array(LoadSlice),
  Totals: z.array(LoadTotal),
  /** The first thousand. */
  Errors: z.array(LoadError),
  ErrorCount: count,
  Notices: z.array(z.string()),
  Seen: z.string(),
})
export type LoadCheck = z.infer<typeof LoadCheck>

/** Immutable. `changed`: one cell; `added`, `removed`: a row, with its values as in `Line: rent; Amount: 1200`. */
export const LoadChange = z.object({
  AtUtc: time,
  By: z.string(),
  Workbook: z.string(),
  Sheet: z.string(),
  Cell: z.string().nullable(),
  Kind: z.enum(['changed', 'added', 'removed']),
  Slice: z.object({ Entity: z.string(), Area: z.string(), Subarea: z.string(), Milestone: z.string() }),
  Column: z.string().nullable(),
  Old: z.string().nullable(),
  New: z.string().nullable(),
})
export type LoadChange = z.infer<typeof LoadChange>

const ofLoad = ofRecord('loadId', 'load')
const firstRow = z.coerce.number<number>().int().min(1).max(1_048_576)

export const loads = {
  tables: route({
    method: 'GET',
    path: '/loads/tables',
    tokenScopes: ['plans.load'],
    summary: 'The versions and helper tables that the caller may use, and which of their milestones may be written.',
    allow: 'loadTables',
    ...ofOrganisation,
    reply: z.array(LoadTargetTable),
  }),
  readFile: route({
    method: 'POST',
    path: '/loads/files',
    tokenScopes: ['plans.load'],
    summary: 'Read an .xlsx or .csv, sent as it is; answers its sheets with their first rows. It is kept for an hour.',
    allow: 'loadTables',
    scope: organisationInQuery,
    query: orgQuery.extend({
      name: z.string().min(1).max(260),
      slashDates: z.enum(['dayFirst', 'monthFirst']).optional(),
    }),
    takes: 'application/octet-stream',
    reply: z.object({
      Id: z.uuid(),
      Name: z.string(),
      Sheets: z.array(
        z.object({
          Name: z.string(),
          Rows: count,
          Columns: count,
          FirstRows: z.array(z.array(SheetCell)).max(20),
          Notice: z.string().nullable(),
          IsHidden: z.boolean(),
          /** A date such as 03/04/2026 whose column leaves the order open: `slashDates` decides. */
          DateQuestion: z.string().nullable(),
        }),
      ),
    }),
    status: 201,
    faults: ['fileUnreadable', 'tooLarge', 'tooMany'],
  }),
  fileColumns: route({
    method: 'GET',
    path: '/loads/files/:fileId/columns',
    tokenScopes: ['plans.load'],
    summary:
      'What the columns of a sheet hold below its headings, and the types that new columns of a table get from it.',
    allow: 'loadTables',
    scope: organisationInQuery,
    params: z.object({ fileId: Id }),
    query: orgQuery.extend({ sheet: z.string().max(100), firstRow }),
    /** From column A; null where no cell below the headings is filled. */
    reply: z.array(z.object({ Type: Type.nullable(), Kinds: z.array(LoadKind) })),
  }),
  template: route({
    method: 'GET',
    path: '/loads/template.xlsx',
    tokenScopes: ['plans.load'],
    summary:
      'An empty workbook for a version or a helper table: its headings, the formats of its columns, and lists of the values that the caller may write.',
    allow: 'loadTables',
    scope: organisationInQuery,
    query: orgQuery.extend({ versionId: Id.optional(), helperTableId: Id.optional() }),
    produces: workbookType,
    faults: ['loadRefused', 'settingsWrong'],
  }),
  begin: route({
    method: 'POST',
    path: '/loads',
    tokenScopes: ['plans.load'],
    summary: 'Begin a load into a version or a helper table.',
    allow: 'loadTables',
    scope: comOrganisationInBody,
    body: BeginLoad,
    reply: Load,
    status: 201,
    faults: ['loadRefused', 'tooMany'],
  }),
  chunk: route({
    method: 'PUT',
    path: '/loads/:loadId/chunks/:number',
    tokenScopes: ['plans.load'],
    summary: 'The rows of one chunk, numbered from 1; sending one again replaces it.',
    allow: 'loadTables',
    scope: ofLoad.scope,
    params: ofLoad.params.extend({ number: z.coerce.number<number>().int().min(1).max(100_000) }),
    body: z.strictObject({ rows: z.array(z.array(SheetCell).max(sheetColumnsMax)).max(chunkRowsMax) }),
    reply: z.object({ Rows: count }),
    faults: ['loadEnded'],
  }),
  check: route({
    method: 'POST',
    path: '/loads/:loadId/check',
    tokenScopes: ['plans.load'],
    summary: 'What committing it would do, and what stands in the way, cell by cell.',
    allow: 'loadTables',
    ...ofLoad,
    reply: LoadCheck,
    faults: ['loadEnded', 'settingsWrong', 'loadRefused'],
  }),
  commit: route({
    method: 'POST',
    path: '/loads/:loadId/commit',
    tokenScopes: ['plans.load'],
    summary: 'Replace the slices that the sheet holds, all in one, and give the receipt.',
    allow: 'loadTables',
    ...ofLoad,
    body: z.strictObject({ seen: z.string().max(200) }),
    reply: Load,
    faults: ['loadEnded', 'loadRefused', 'sliceChanged', 'settingsWrong'],
  }),
  cancel: route({
    method: 'DELETE',
    path: '/loads/:loadId',
    tokenScopes: ['plans.load'],
    summary: 'Give a load up before it is committed; its rows are thrown away.',
    allow: 'loadTables',
    ...ofLoad,
    faults: ['loadEnded'],
  }),
  list: route({
    method: 'GET',
    path: '/loads',
    tokenScopes: ['plans.load'],
    summary:
      'Receipts, latest first: all for administrators, their own for others; unfinished loads only for the person who began them. `search` matches person, workbook, sheet, table and slices.',
    allow: 'loadTables',
    scope: organisationInQuery,
    query: orgQuery.extend({
      versionId: Id.optional(),
      helperTableId: Id.optional(),
      search: z.string().max(200).optional(),
      ...paging,
    }),
    reply: z.array(Load),
  }),
  read: route({
    method: 'GET',
    path: '/loads/:loadId',
    tokenScopes: ['plans.load'],
    summary: 'One receipt; with `orgId` only where it is that organisation’s.',
    allow: 'loadTables',
    ...ofLoad,
    query: orgQuery,
    reply: Load,
  }),
  undo: route({
    method: 'POST',
    path: '/loads/:loadId/undo',
    tokenScopes: ['plans.load'],
    summary: 'Bring back what the load replaced, where nothing has touched its slices since.',
    allow: 'loadTables',
    ...ofLoad,
    body: z.strictObject({ source: LoadSource }),
    reply: Load,
    faults: ['loadEnded', 'loadRefused', 'undoConflict', 'settingsWrong'],
  }),
  changes: route({
    method: 'GET',
    path: '/loads/:loadId/changes',
    tokenScopes: ['plans.load'],
    summary: 'The change log of a load, in the order of the sheet.',
    allow: 'loadTables',
    ...ofLoad,
    query: z.strictObject(paging),
    reply: z.array(LoadChange),
  }),
  changesFile: route({
    method: 'GET',
    path: '/loads/:loadId/changes.csv',
    tokenScopes: ['plans.load'],
    summary: 'The same as a file, in which no cell is a formula.',
    allow: 'loadTables',
    ...ofLoad,
    produces: 'text/csv',
  }),
} as const

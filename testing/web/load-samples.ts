/** Sample data: a sheet, its check and its receipt, with fake replies for them. */
import type { Use } from '@tributary/contract/assignments'
import type { Load, LoadCheck, LoadTargetTable } from '@tributary/contract/loads'
import type { LoadKind } from '@tributary/contract/load-columns'
import type { CallReply } from '@tributary/contract/calls'
import type { PortalHandlers } from './fake-server.ts'
import { harbour } from './render-app.tsx'

export const id = (n: number) => `00000000-0000-4000-8000-00000000${String(n).padStart(4, '0')}`
export const loadId = id(1)

export const tables: LoadTargetTable[] = [
  {
    Id: id(10),
    Kind: 'version',
    Name: 'Budget 2026',
    SqlName: 'B2SBudget2026',
    ExcelName: 'UploadB2SBudget2026',
    MayWrite: true,
    Columns: [],
    Milestones: [
      { Id: id(11), Name: 'Draft', MayWrite: true },
      { Id: id(12), Name: 'Final', MayWrite: false },
    ],
  },
  {
    Id: id(13),
    Kind: 'version',
    Name: 'Actuals',
    SqlName: 'B2SActuals',
    ExcelName: 'UploadB2SActuals',
    MayWrite: false,
    Columns: [],
    Milestones: [{ Id: id(14), Name: 'Closed', MayWrite: false }],
  },
  {
    Id: id(15),
    Kind: 'helperTable',
    Name: 'Colours',
    SqlName: 'B2HColours',
    ExcelName: 'UploadB2HColours',
    MayWrite: true,
    Columns: [],
    Milestones: [],
  },
]
const pair = (Area: string, Subarea: string) => ({ AreaId: id(20), SubareaId: id(21), Area, Subarea, Why: [] })
const use: Use = {
  MorePairs: false,
  Pairs: [pair('Quay', 'Berth 1'), pair('Quay', 'Berth 2'), pair('Attic', 'Roof')],
  Milestones: [],
  HelperTables: [],
  Entities: [{ Id: id(30), Name: 'Harbour Ltd', Why: [] }],
}
export const readFile: CallReply<'POST /loads/files'> = {
  Id: id(40),
  Name: 'plan.xlsx',
  Sheets: [
    { Name: 'Cover', Rows: 1, Columns: 1, FirstRows: [['Hello']], Notice: null, IsHidden: false, DateQuestion: null },
    {
      Name: 'Plan',
      Rows: 3,
      Columns: 3,
      FirstRows: [
        ['Area', 'Subarea', 'Amount'],
        ['Quay', 'Berth 1', { n: '0.30' }],
        ['Quay', 'Berth 2', { n: '-4' }],
      ],
      Notice: 'Sheet Plan is hidden in the workbook.',
      IsHidden: false,
      DateQuestion: null,
    },
  ],
}
const kind = (Kind: LoadKind['Kind'], Cells: number, FirstCell: string, FirstValue: string): LoadKind => ({
  Kind,
  Cells,
  FirstCell,
  FirstValue,
})
export const fileColumns: CallReply<'GET /loads/files/:fileId/columns'> = [
  { Type: 'text', Kinds: [kind('text', 2, 'A2', 'Quay')] },
  { Type: 'text', Kinds: [kind('text', 2, 'B2', 'Berth 1')] },
  { Type: 'number', Kinds: [kind('number', 2, 'C2', '0.30')] },
]
export const slice = { Entity: 'Harbour Ltd', Area: 'Quay', Subarea: 'Berth 1', Milestone: 'Draft' }
export const check: LoadCheck = {
  Rows: 2,
  Columns: [
    { Name: 'Amount', Type: 'number', IsNew: true, IsWidened: false, Kinds: [kind('number', 2, 'C2', '0.30')] },
  ],
  Slices: [{ ...slice, Rows: 2, FormerRows: 5, FormerBy: 'Jonas Weber', FormerAtUtc: '2026-11-19T10:00:00Z' }],
  Totals: [{ Column: 'Amount', Before: '12.5', After: '-3.70' }],
  Errors: [],
  ErrorCount: 0,
  Notices: [],
  Seen: 'seen-1',
}

export function load(changes: Partial<Load> = {}): Load {
  return {
    Id: loadId,
    Status: 'RECEIVING',
    Kind: 'version',
    RecordId: id(10),
    RecordName: 'Budget 2026',
    TableName: 'B2SBudget2026',
    Workbook: 'plan.xlsx',
    Sheet: 'Plan',
    Source: 'portal',
    By: 'Amara Okafor',
    BeganAtUtc: '2026-11-20T10:00:00Z',
    CommittedAtUtc: null,
    Rows: 2,
    RowsBefore: 5,
    Slices: check.Slices,
    Totals: check.Totals,
    Changes: 0,
    Undoes: null,
    UndoneBy: null,
    MayUndo: false,
    ...changes,
  }
}

export const loaded = load({ Status: 'LOADED', CommittedAtUtc: '2026-11-20T10:05:00Z', MayUndo: true, Changes: 450 })

export function paged(rows: readonly object[], total = rows.length): Response {
  return Response.json(rows, { headers: { 'x-total-count': String(total) } })
}

export const everywhere: PortalHandlers = {
  'GET /organisations': () => [harbour],
  'GET /tributary/clients/connector-types': () => [],
  'GET /tributary/clients/:clientId/connector-types': () => [],
  'GET /loads/tables': () => tables,
  'GET /me/use': () => use,
  'GET /loads': () => paged([]),
  'POST /loads/files': () => readFile,
  'GET /loads/files/:fileId/columns': () => fileColumns,
  'POST /loads': () => load(),
  'POST /loads/:loadId/check': () => check,
  'GET /loads/:loadId': () => load(),
  'GET /loads/:loadId/changes': () => paged([]),
}

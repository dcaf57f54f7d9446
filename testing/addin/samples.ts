/** Sample data: a user, an organisation, its tables, and a load. */
import type { Use } from '@tributary/contract/assignments'
import type { Load, LoadCheck, LoadTargetTable } from '@tributary/contract/loads'
import type { Organisation } from '@tributary/contract/organisations'
import type { SessionReply } from '@tributary/contract/sign-in'

export const id = (n: number) => `00000000-0000-4000-8000-00000000${String(n).padStart(4, '0')}`

export const harbour: Organisation = {
  Id: id(1),
  CompanyName: 'Harbour Trading',
  Key: 'harbour-trading',
  Budget2SqlProductId: id(1),
  TimeZone: 'Europe/London',
  RequireMultiFactorAuthentication: false,
  Archived: false,
}

export function session(changes: Partial<SessionReply> = {}): SessionReply {
  return {
    accessToken: 'token-1',
    firstName: 'Amara',
    lastName: 'Okafor',
    email: 'user@demo.example',
    role: 'user',
    roleLevel: 3,
    mayReadData: true,
    organisationId: harbour.Id,
    requireMultiFactorAuthentication: false,
    mustChangePassword: false,
    verificationDevices: [],
    preferences: { Locale: null, TimeZone: null, KeyboardShortcuts: true, Density: 'comfortable', Tables: {} },
    ...changes,
  }
}

export const tables: LoadTargetTable[] = [
  {
    Id: id(10),
    Kind: 'version',
    Name: 'Budget 2026',
    SqlName: 'B2SBudget2026',
    ExcelName: 'Budget2026SQLLoader',
    MayWrite: true,
    Columns: [],
    Milestones: [
      { Id: id(11), Name: 'Draft', MayWrite: true },
      { Id: id(12), Name: 'Second draft', MayWrite: true },
      { Id: id(13), Name: 'Final', MayWrite: false },
    ],
  },
  {
    Id: id(14),
    Kind: 'version',
    Name: 'Actuals',
    SqlName: 'B2SActuals',
    ExcelName: 'ActualsSQLLoader',
    MayWrite: false,
    Columns: [],
    Milestones: [{ Id: id(15), Name: 'Closed', MayWrite: false }],
  },
  {
    Id: id(16),
    Kind: 'helperTable',
    Name: 'Colours',
    SqlName: 'B2SColours',
    ExcelName: 'ColoursSQLLoader',
    MayWrite: true,
    Columns: [],
    Milestones: [],
  },
]

const pair = (Area: string, Subarea: string) => ({ AreaId: id(20), SubareaId: id(21), Area, Subarea, Why: [] })
export const use: Use = {
  MorePairs: false,
  Pairs: [pair('Quay', 'Berth 1'), pair('Quay', 'Berth 2'), pair('Attic', 'Roof')],
  Milestones: [],
  HelperTables: [],
  Entities: [{ Id: id(30), Name: 'Harbour Ltd', Why: [] }],
}

const slice = { Entity: 'Harbour Ltd', Area: 'Quay', Subarea: 'Berth 1', Milestone: 'Draft' }
const former = { Rows: 2, FormerRows: 5, FormerBy: 'Jonas Weber', FormerAtUtc: '2026-11-19T10:00:00Z' }
const totals = [{ Column: 'Amount', Before: '12.5', After: '-3.70' }]

export const check: LoadCheck = {
  Rows: 2,
  Columns: [
    {
      Name: 'Amount',
      Type: 'number',
      IsNew: true,
      IsWidened: false,
      Kinds: [{ Kind: 'number', Cells: 2, FirstCell: 'C2', FirstValue: '1.5' }],
    },
  ],
  Slices: [{ ...slice, ...former }],
  Totals: totals,
  Errors: [],
  ErrorCount: 0,
  Notices: [],
  Seen: 'seen-1',
}

export function load(changes: Partial<Load> = {}): Load {
  return {
    Id: id(40),
    Status: 'RECEIVING',
    Kind: 'version',
    RecordId: id(10),
    RecordName: 'Budget 2026',
    TableName: 'B2SBudget2026',
    Workbook: 'budget.xlsx',
    Sheet: 'Plan',
    Source: 'addin',
    By: 'Amara Okafor',
    BeganAtUtc: '2026-11-20T09:00:00Z',
    CommittedAtUtc: null,
    Rows: 2,
    RowsBefore: 5,
    Slices: [],
    Totals: [],
    Changes: 0,
    Undoes: null,
    UndoneBy: null,
    MayUndo: false,
    ...changes,
  }
}

export const loaded = load({
  Status: 'LOADED',
  CommittedAtUtc: '2026-11-20T09:01:00Z',
  Slices: check.Slices,
  Totals: totals,
  Changes: 7,
  MayUndo: true,
})

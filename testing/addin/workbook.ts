/**
 * A fake workbook of one sheet, built on `office-addin-mock`: reading a property before `load` and `sync` gives an
 * error text.
 */
import { OfficeMockObject } from 'office-addin-mock'

export interface SheetInput {
  readonly rows: readonly (readonly unknown[])[]
  /** By column; 'General' by default. */
  readonly formats?: readonly string[]
  /** Position of the first row, from 0. */
  readonly at?: { readonly row: number; readonly column: number }
  readonly is1904?: boolean
  /** The initial fill of cells. */
  readonly fills?: Readonly<Record<string, FakeFill>>
  readonly notes?: Readonly<Record<string, string>>
  readonly hasNotes?: boolean
}
interface FakeFill {
  readonly color: string
  readonly pattern: string
}

export interface Workbook {
  /** Round trips to Excel so far. */
  syncs: number
  /** Number of rows of each read. */
  readonly reads: number[]
  readonly fills: Map<string, FakeFill>
  readonly notes: Map<string, string>
  readonly settings: Map<string, unknown>
  selected: string | null
  /** Whether the user is editing a cell, during which Excel refuses all requests. */
  isTyping: boolean
  /** Simulates a user who types into the sheet. */
  change(): void
  /** Dialogs that the pane has opened. */
  readonly dialogs: Dialog[]
}
interface Dialog {
  readonly address: string
  readonly sendMessage: (message: string, origin?: string) => void
  readonly close: () => void
}

/** Sets the globals `Office` and `Excel` to a fake of this workbook. */
export function openWorkbook(input: SheetInput): Workbook {
  const changes = new Set<() => Promise<void>>()
  const workbook: Workbook = {
    syncs: 0,
    reads: [],
    fills: new Map(Object.entries(input.fills ?? {})),
    notes: new Map(Object.entries(input.notes ?? {})),
    settings: new Map(),
    selected: null,
    isTyping: false,
    change: () => changes.forEach((listener) => void listener()),
    dialogs: [],
  }
  Object.assign(globalThis, { Office: officeOf(workbook, input), Excel: excelOf(workbook, input, changes) })
  return workbook
}

export function closeWorkbook(): void {
  Object.assign(globalThis, { Office: undefined, Excel: undefined })
}

const none: FakeFill = { color: '#FFFFFF', pattern: 'None' }

function excelOf(workbook: Workbook, input: SheetInput, changes: Set<() => Promise<void>>) {
  const run = async (first: unknown, second?: (context: unknown) => Promise<unknown>) => {
    const work = (second ?? first) as (context: unknown) => Promise<unknown>
    return work(contextOf(workbook, input, changes))
  }
  return { run }
}

/** The objects of one `Excel.run`, which are synced together like in a real context. */
interface RequestContext {
  readonly workbook: Workbook
  readonly input: SheetInput
  hand(data: object, isNullObject?: boolean): OfficeMockObject
  /** Runs after the next sync. */
  afterSync(settle: () => void): void
}

function contextOf(workbook: Workbook, input: SheetInput, changes: Set<() => Promise<void>>) {
  const handed: OfficeMockObject[] = []
  const settling: (() => void)[] = []
  const hand = (data: object, isNullObject = false) => {
    const mock = Object.assign(new OfficeMockObject(data as never), { isNullObject })
    handed.push(mock)
    return mock
  }
  const context = { workbook, input, hand, afterSync: (settle: () => void) => void settling.push(settle) }
  const range = () => usedRangeOf(context)
  const worksheet = worksheetOf(context, changes)
  return {
    workbook: hand({
      name: 'budget.xlsx',
      getSelectedRange: () => ({ getIntersectionOrNullObject: range }),
      functions: { date: () => hand({ value: input.is1904 === true ? 35_064 : 36_526 }) },
      worksheets: {
        getActiveWorksheet: () => worksheet,
        getItem: () => worksheet,
        getItemOrNullObject: () => worksheet,
      },
    }),
    async sync() {
      workbook.syncs++
      if (workbook.isTyping)
        throw Object.assign(new Error('Excel is busy.'), { code: 'InvalidOperationInCellEditMode' })
      for (const mock of handed) await mock.sync()
      for (const settle of settling) settle()
    },
  }
}

function usedRangeOf({ input, hand }: RequestContext) {
  const { row, column } = input.at ?? { row: 0, column: 0 }
  const columnCount = Math.max(0, ...input.rows.map((cells) => cells.length))
  const place = { rowIndex: row, columnIndex: column, rowCount: input.rows.length, columnCount }
  return hand(place, input.rows.length === 0)
}

function fillOf({ workbook, hand, afterSync }: RequestContext, cell: string) {
  const before = workbook.fills.get(cell) ?? none
  const fill = hand({
    ...before,
    patternColor: '',
    clear: () => void workbook.fills.delete(cell),
    set: () => undefined,
  })
  afterSync(() => {
    const now: unknown = (fill as unknown as FakeFill).color
    if (typeof now === 'string' && now.startsWith('#') && now !== before.color)
      workbook.fills.set(cell, { color: now, pattern: 'Solid' })
  })
  return fill
}

function worksheetOf(context: RequestContext, changes: Set<() => Promise<void>>) {
  const { workbook, input, hand } = context
  const { row, column } = input.at ?? { row: 0, column: 0 }
  return hand({
    id: 'sheet-1',
    name: 'Plan',
    getUsedRangeOrNullObject: () => usedRangeOf(context),
    getRangeByIndexes(fromRow: number, fromColumn: number, rows: number, columns: number) {
      workbook.reads.push(rows)
      const cells = input.rows
        .slice(fromRow - row, fromRow - row + rows)
        .map((line) => Array.from({ length: columns }, (_, at) => line[fromColumn - column + at] ?? ''))
      return hand({
        values: cells,
        valueTypes: cells.map((line) => line.map(typeOf)),
        numberFormat: cells.map((line) => line.map((_, at) => input.formats?.[at] ?? 'General')),
      })
    },
    getRange: (cell: string) => ({ format: { fill: fillOf(context, cell) }, select: () => (workbook.selected = cell) }),
    activate: () => undefined,
    onChanged: {
      add(listener: () => Promise<void>) {
        changes.add(listener)
        return { context: {}, remove: () => changes.delete(listener) }
      },
    },
    notes: {
      getItemOrNullObject: (cell: string) =>
        hand(
          { content: workbook.notes.get(cell) ?? '', delete: () => void workbook.notes.delete(cell) },
          !workbook.notes.has(cell),
        ),
      add: (cell: string, text: string) => void workbook.notes.set(cell, text),
    },
  })
}

function typeOf(value: unknown): string {
  if (value === '') return 'Empty'
  return typeof value === 'number' ? 'Double' : typeof value === 'boolean' ? 'Boolean' : 'String'
}

function officeOf(workbook: Workbook, { hasNotes = true }: SheetInput) {
  return {
    HostType: { Excel: 'Excel' },
    AsyncResultStatus: { Succeeded: 'succeeded' },
    EventType: { DialogMessageReceived: 'message', DialogEventReceived: 'event' },
    onReady: async () => ({ host: 'Excel' }),
    context: {
      requirements: { isSetSupported: (_: string, version: string) => version !== '1.18' || hasNotes },
      document: {
        settings: {
          get: (name: string) => workbook.settings.get(name) ?? null,
          set: (name: string, value: unknown) => workbook.settings.set(name, value),
          remove: (name: string) => workbook.settings.delete(name),
          saveAsync: (done: () => void) => done(),
        },
      },
      ui: {
        displayDialogAsync(address: string, _: unknown, opened: (result: unknown) => void) {
          const handlers = new Map<string, (event: unknown) => void>()
          workbook.dialogs.push({
            address,
            sendMessage: (message, origin = location.origin) => handlers.get('message')?.({ message, origin }),
            close: () => handlers.get('event')?.({ error: 12_006 }),
          })
          const addEventHandler = (name: string, handler: (event: unknown) => void) => handlers.set(name, handler)
          opened({ status: 'succeeded', value: { addEventHandler, close: () => undefined } })
        },
      },
    },
  }
}

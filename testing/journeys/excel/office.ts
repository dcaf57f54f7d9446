/**
 * A fake Office.js for browser tests: in the task pane, in its dialog, and outside of Excel. Like the real one, it
 * queues calls on the workbook until `sync` sends them as one batch, and throws if a property that was not loaded is
 * read. Members that the pane does not use throw.
 */
import type { HostResponse, BatchArgument, HostRequest, LoadedProperties, BatchStep } from './messages.ts'

/** Loadable properties of each kind of object, its navigation properties, and the kinds that its methods return. */
interface ObjectShape {
  readonly values?: readonly string[]
  readonly leads?: Readonly<Record<string, string>>
  readonly calls?: Readonly<Record<string, string | null>>
}
const shapes: Readonly<Record<string, ObjectShape>> = {
  workbook: {
    values: ['name'],
    leads: { worksheets: 'worksheets', functions: 'functions' },
    calls: { getSelectedRange: 'range' },
  },
  worksheets: { calls: { getActiveWorksheet: 'worksheet', getItem: 'worksheet', getItemOrNullObject: 'worksheet' } },
  worksheet: {
    values: ['id', 'name'],
    leads: { onChanged: 'event', notes: 'notes' },
    calls: { getRange: 'range', getRangeByIndexes: 'range', getUsedRangeOrNullObject: 'range', activate: null },
  },
  range: {
    values: ['rowIndex', 'columnIndex', 'rowCount', 'columnCount', 'values', 'valueTypes', 'numberFormat'],
    leads: { format: 'format' },
    calls: { getIntersectionOrNullObject: 'range', select: null },
  },
  format: { leads: { fill: 'fill' } },
  fill: { values: ['color', 'pattern', 'patternColor'], calls: { clear: null } },
  notes: { calls: { add: 'note', getItemOrNullObject: 'note' } },
  note: { values: ['content'], calls: { delete: null } },
  functions: { calls: { date: 'result' } },
  result: { values: ['value'] },
  event: { calls: { add: 'handler' } },
  handler: { calls: { remove: null } },
}

const excelOrigin = 'https://excel.officeapps.live.com'
const requestMaxCharacters = 5_000_000
const isDialog = window.opener !== null && window.parent === window
const isPane = window.parent !== window

let lastRequest = 0
function sendRequest(request: HostRequest): Promise<HostResponse> {
  const id = ++lastRequest
  const { promise, resolve } = Promise.withResolvers<HostResponse>()
  const listen = ({ origin, data }: MessageEvent<{ readonly to?: number; readonly response: HostResponse }>) => {
    if (origin !== excelOrigin || data.to !== id) return
    window.removeEventListener('message', listen)
    resolve(data.response)
  }
  window.addEventListener('message', listen)
  window.parent.postMessage({ id, request }, excelOrigin)
  return promise
}

function failure(code: string, message = code): Error & { readonly code: string } {
  return Object.assign(new Error(message), { code })
}

/* The workbook */

const numberOf = Symbol('number')

interface RemoteObject {
  readonly kind: string
  readonly shape: ObjectShape
  readonly number: number
}

const handlers = new Map<number, () => void>()
let objects = 0

class RequestContext {
  readonly workbook: object
  private steps: BatchStep[] = []
  private readonly known = new Map<number, Map<string, unknown>>()

  constructor() {
    this.workbook = this.object('workbook', 0)
  }

  async sync(): Promise<void> {
    const { steps } = this
    this.steps = []
    if (JSON.stringify(steps).length > requestMaxCharacters) throw failure('RequestPayloadSizeLimitExceeded')
    const response = await sendRequest({ type: 'sync', steps })
    if ('failed' in response) throw failure(response.failed.code, response.failed.message)
    if ('loaded' in response) for (const { object, values } of response.loaded) this.note(object, values)
  }

  private note(object: number, values: LoadedProperties['values']): void {
    const known = this.known.get(object) ?? new Map<string, unknown>()
    this.known.set(object, known)
    for (const [name, value] of Object.entries(values)) known.set(name, value)
  }

  private object(kind: string, number: number): object {
    const shape = shapes[kind] ?? {}
    return new Proxy(
      {},
      {
        get: (_, name) =>
          typeof name === 'symbol'
            ? name === numberOf
              ? number
              : undefined
            : this.read({ kind, shape, number }, name),
        set: (_, name, value: unknown) => {
          this.write(number, { [String(name)]: value })
          return true
        },
      },
    )
  }

  private read(object: RemoteObject, name: string): unknown {
    const { shape, number } = object
    if (name === 'load') return (names: string) => this.load(number, names)
    if (name === 'set') return (values: Readonly<Record<string, unknown>>) => this.write(number, values)
    if (name === 'context') return this
    // `await` and `JSON.stringify` read these.
    if (name === 'then' || name === 'toJSON') return undefined
    const lead = shape.leads?.[name]
    if (lead !== undefined) return this.make(number, name, [], lead)
    const call = shape.calls?.[name]
    if (call !== undefined) return (...args: readonly unknown[]) => this.make(number, name, args.map(toArgument), call)
    return this.value(object, name)
  }

  private value({ kind, shape, number }: RemoteObject, name: string): unknown {
    if (name !== 'isNullObject' && shape.values?.includes(name) !== true)
      throw new Error(`The stand-in for Excel has no ${kind}.${name}.`)
    const known = this.known.get(number)
    if (known?.has(name) !== true)
      throw failure('PropertyNotLoaded', `The property '${name}' is not available. Load it and sync first.`)
    return known.get(name)
  }

  private load(on: number, names: string): void {
    this.steps.push({ kind: 'load', on, names: names.split(',').map((name) => name.trim()) })
  }

  private write(number: number, values: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(values)) this.steps.push({ kind: 'set', on: number, name, value })
  }

  private make(on: number, name: string, args: readonly BatchArgument[], kind: string | null): object | undefined {
    const made = ++objects
    this.steps.push({ kind: 'get', on, name, args, made })
    return kind === null ? undefined : this.object(kind, made)
  }
}

function toArgument(value: unknown): BatchArgument {
  if (typeof value === 'function') {
    const handler = ++objects
    handlers.set(handler, value as () => void)
    return { handler }
  }
  const object: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, numberOf) : undefined
  return typeof object === 'number' ? { object } : { value }
}

window.addEventListener('message', ({ origin, data }: MessageEvent<{ readonly fires?: number }>) => {
  if (origin === excelOrigin && data.fires !== undefined) handlers.get(data.fires)?.()
})

type BatchWork = (context: RequestContext) => Promise<unknown>
async function run(first: RequestContext | BatchWork, second?: BatchWork): Promise<unknown> {
  const [context, work] = typeof first === 'function' ? [new RequestContext(), first] : [first, second]
  const result = await work?.(context)
  await context.sync()
  return result
}

/* The dialog */

interface DialogEvent {
  readonly message?: string
  readonly origin?: string
  readonly error?: number
}
type AsyncOfficeResult = {
  readonly status: string
  readonly value?: object
  readonly error?: { readonly code: number }
}

const closedByPerson = 12_006
const blockedByBrowser = 12_011

function displayDialogAsync(address: string, _size: object, callback: (opened: AsyncOfficeResult) => void): void {
  const dialog = window.open(address, '', 'popup,width=480,height=700')
  if (dialog === null) return callback({ status: 'failed', error: { code: blockedByBrowser } })
  const listeners = new Map<string, (event: DialogEvent) => void>()
  const looking = setInterval(() => {
    if (!dialog.closed) return
    clearInterval(looking)
    listeners.get('dialogEventReceived')?.({ error: closedByPerson })
  }, 100)
  window.addEventListener('message', ({ source, origin, data }: MessageEvent<{ readonly dialogMessage?: string }>) => {
    if (source === dialog && data.dialogMessage !== undefined)
      listeners.get('dialogMessageReceived')?.({ message: data.dialogMessage, origin })
  })
  const value = {
    addEventHandler: (type: string, listener: (event: DialogEvent) => void) => void listeners.set(type, listener),
    close() {
      clearInterval(looking)
      dialog.close()
    },
  }
  callback({ status: 'succeeded', value })
}

function messageParent(dialogMessage: string, { targetOrigin }: { readonly targetOrigin: string }): void {
  ;(window.opener as Window).postMessage({ dialogMessage }, targetOrigin)
}

/* Office itself */

const settings = new Map<string, unknown>()

async function onReady(): Promise<{ readonly host: string | null }> {
  if (!isPane) return { host: isDialog ? 'Excel' : null }
  const response = await sendRequest({ type: 'start' })
  if ('settings' in response) for (const [name, value] of Object.entries(response.settings)) settings.set(name, value)
  return { host: 'Excel' }
}

async function saveSettings(callback: (saved: AsyncOfficeResult) => void): Promise<void> {
  await sendRequest({ type: 'saveSettings', settings: Object.fromEntries(settings) })
  callback({ status: 'succeeded' })
}

const Office = {
  onReady,
  HostType: { Excel: 'Excel' },
  AsyncResultStatus: { Succeeded: 'succeeded', Failed: 'failed' },
  EventType: { DialogMessageReceived: 'dialogMessageReceived', DialogEventReceived: 'dialogEventReceived' },
  context: {
    ui: { displayDialogAsync, messageParent },
    requirements: { isSetSupported: (set: string) => set === 'ExcelApi' || set === 'DialogApi' },
    document: {
      settings: {
        get: (name: string) => settings.get(name) ?? null,
        set: (name: string, value: unknown) => void settings.set(name, value),
        remove: (name: string) => void settings.delete(name),
        saveAsync: (callback: (saved: AsyncOfficeResult) => void) => void saveSettings(callback),
      },
    },
  },
}

Object.assign(window, { Office, Excel: { run } })

/** A fake Excel on the web for browser tests: shows a workbook and the task pane, and executes the pane's batches. */
import type { HostResponse, BatchArgument, HostRequest, LoadedProperties, BatchStep } from './messages.ts'
import { addressOf, ExcelError, type StoredCell, type CellContent, Workbook } from './workbook.ts'

interface StandInInput {
  readonly pane: string
  readonly name: string
  readonly sheet: string
  readonly rows: readonly (readonly (CellContent | StoredCell)[])[]
}

declare global {
  interface Window {
    /** Set by the test before the page starts. */
    readonly standInInput: StandInInput
    /** The workbook, for the test to change and inspect. */
    workbook: Workbook
  }
}

const { pane, name, sheet, rows } = window.standInInput
const workbook = new Workbook(name, sheet, rows)
window.workbook = workbook
const frame = document.createElement('iframe')
frame.title = 'Tributary'
frame.src = pane
document.body.append(frame)
draw()

let settings: Readonly<Record<string, unknown>> = {}
const objects = new Map<number, object>([[0, workbook]])

window.addEventListener(
  'message',
  ({ source, origin, data }: MessageEvent<{ readonly id: number; readonly request: HostRequest }>) => {
    if (source !== frame.contentWindow || data.id === undefined) return
    const response = replyTo(data.request)
    draw()
    frame.contentWindow?.postMessage({ to: data.id, response }, origin)
  },
)

function replyTo(request: HostRequest): HostResponse {
  if (request.type === 'saveSettings') settings = request.settings
  if (request.type !== 'sync') return { settings }
  try {
    const loaded = request.steps.flatMap(runStep)
    if (JSON.stringify(loaded).length > responseMaxCharacters) throw new ExcelError('ResponsePayloadSizeLimitExceeded')
    return { loaded }
  } catch (error) {
    const code = error instanceof ExcelError ? error.code : 'GeneralException'
    return { failed: { code, message: String(error) } }
  }
}

/** Excel on the web limits responses to 5 MB. */
const responseMaxCharacters = 5_000_000

function runStep(step: BatchStep): readonly LoadedProperties[] {
  const on = objects.get(step.on) ?? {}
  if (step.kind === 'set') {
    Reflect.set(on, step.name, step.value)
    return []
  }
  if (step.kind === 'load') {
    if ('isNullObject' in on && on.isNullObject === true) return []
    return [{ object: step.on, values: Object.fromEntries(step.names.map((one) => [one, Reflect.get(on, one)])) }]
  }
  const found: unknown = Reflect.get(on, step.name)
  const made: unknown = typeof found === 'function' ? Reflect.apply(found, on, step.args.map(resolveArgument)) : found
  if (typeof made !== 'object' || made === null) return []
  objects.set(step.made, made)
  return 'isNullObject' in made ? [{ object: step.made, values: { isNullObject: made.isNullObject } }] : []
}

function resolveArgument(argument: BatchArgument): unknown {
  if ('object' in argument) return objects.get(argument.object)
  if ('value' in argument) return argument.value
  return () => frame.contentWindow?.postMessage({ fires: argument.handler }, new URL(pane).origin)
}

/** Renders the rows around the selected cell. */
function draw(): void {
  const { active, selected } = workbook
  const first = Math.max(0, selected.position.row - 5)
  const columns = Array.from({ length: 8 }, (_, column) => column)
  const table = document.createElement('table')
  table.setAttribute('aria-label', active.name)
  for (let row = first; row < first + 24; row += 1) {
    const line = table.insertRow()
    const heading = document.createElement('th')
    heading.textContent = String(row + 1)
    line.append(heading)
    for (const column of columns) {
      const address = addressOf(row, column)
      const cell = line.insertCell()
      cell.dataset['address'] = address
      cell.textContent = displayText(active.cells.get(row)?.get(column))
      cell.style.backgroundColor = active.fills.get(address)?.color ?? ''
      cell.title = active.noteTexts.get(address) ?? ''
      if (row === selected.position.row && column === selected.position.column) cell.ariaSelected = 'true'
    }
  }
  document.querySelector('table')?.remove()
  document.body.prepend(table)
}

function displayText(cell: StoredCell | undefined): string {
  if (cell === undefined) return ''
  const { value, format } = cell
  if (typeof value !== 'number' || !format.includes('yy')) return String(value)
  return new Date(Date.UTC(1899, 11, 30) + value * 86_400_000).toISOString().slice(0, 10)
}

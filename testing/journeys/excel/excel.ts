/** Stands in for Excel on the web in the browser tests: shows a workbook and beside it the task pane, whose batches it carries out. */
import type { Answer, Argument, Asked, Loaded, Step } from './messages.ts'
import { addressOf, ExcelError, type StoredCell, type Value, Workbook } from './workbook.ts'

interface Given {
  readonly pane: string
  readonly name: string
  readonly sheet: string
  readonly rows: readonly (readonly (Value | StoredCell)[])[]
}

declare global {
  interface Window {
    /** Put there by the test before the page starts. */
    readonly given: Given
    /** For the test to type into, and to look at. */
    workbook: Workbook
  }
}

const { pane, name, sheet, rows } = window.given
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
  ({ source, origin, data }: MessageEvent<{ readonly id: number; readonly question: Asked }>) => {
    if (source !== frame.contentWindow || data.id === undefined) return
    const answer = answerTo(data.question)
    draw()
    frame.contentWindow?.postMessage({ to: data.id, answer }, origin)
  },
)

function answerTo(question: Asked): Answer {
  if (question.asks === 'keep') settings = question.settings
  if (question.asks !== 'sync') return { settings }
  try {
    const loaded = question.steps.flatMap(carryOut)
    if (JSON.stringify(loaded).length > answerMaxCharacters) throw new ExcelError('ResponsePayloadSizeLimitExceeded')
    return { loaded }
  } catch (error) {
    const code = error instanceof ExcelError ? error.code : 'GeneralException'
    return { failed: { code, message: String(error) } }
  }
}

/** Excel on the web hands over 5 MB at once and no more. */
const answerMaxCharacters = 5_000_000

function carryOut(step: Step): readonly Loaded[] {
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
  const made: unknown = typeof found === 'function' ? Reflect.apply(found, on, step.args.map(resolved)) : found
  if (typeof made !== 'object' || made === null) return []
  objects.set(step.made, made)
  return 'isNullObject' in made ? [{ object: step.made, values: { isNullObject: made.isNullObject } }] : []
}

function resolved(argument: Argument): unknown {
  if ('object' in argument) return objects.get(argument.object)
  if ('value' in argument) return argument.value
  return () => frame.contentWindow?.postMessage({ fires: argument.handler }, new URL(pane).origin)
}

/** The rows around the selected cell. */
function draw(): void {
  const { active, selected } = workbook
  const first = Math.max(0, selected.place.row - 5)
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
      cell.textContent = shown(active.cells.get(row)?.get(column))
      cell.style.backgroundColor = active.fills.get(address)?.color ?? ''
      cell.title = active.noteTexts.get(address) ?? ''
      if (row === selected.place.row && column === selected.place.column) cell.ariaSelected = 'true'
    }
  }
  document.querySelector('table')?.remove()
  document.body.prepend(table)
}

function shown(cell: StoredCell | undefined): string {
  if (cell === undefined) return ''
  const { value, format } = cell
  if (typeof value !== 'number' || !format.includes('yy')) return String(value)
  return new Date(Date.UTC(1899, 11, 30) + value * 86_400_000).toISOString().slice(0, 10)
}

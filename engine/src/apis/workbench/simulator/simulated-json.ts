/** JSON of simulated replies. Numbers keep their digits, which doubles would not. */
import { partsOf } from '../../described/pointer.ts'

export class WrittenDigits {
  readonly digits: string

  constructor(digits: string) {
    this.digits = digits
  }
}

export type SimulatedJson = null | boolean | number | string | WrittenDigits | SimulatedJson[] | SimulatedObject
export interface SimulatedObject {
  [member: string]: SimulatedJson
}

export function writeJson(value: SimulatedJson): string {
  if (value instanceof WrittenDigits) return value.digits
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}:${writeJson(inner)}`)
    .join(',')}}`
}

export function valueAt(root: SimulatedJson, pointer: string): SimulatedJson | undefined {
  let found: SimulatedJson | undefined = root
  for (const part of partsOf(pointer)) found = memberOf(found, part)
  return found
}

function memberOf(value: SimulatedJson | undefined, part: string): SimulatedJson | undefined {
  if (Array.isArray(value)) return value[Number(part)]
  return isSimulatedObject(value) && Object.hasOwn(value, part) ? value[part] : undefined
}

export function isSimulatedObject(value: SimulatedJson | undefined): value is SimulatedObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WrittenDigits)
}

/** Makes the objects and lists on the way. A plain value on the way is replaced. */
export function setAt(root: SimulatedJson, pointer: string, value: SimulatedJson): SimulatedJson {
  const [part, ...rest] = partsOf(pointer)
  if (part === undefined) return value
  const inner = rest.map((one) => `/${one.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  const isIndex = /^(?:0|[1-9]\d{0,2})$/u.test(part)
  if (isIndex && !isSimulatedObject(root)) {
    const list = Array.isArray(root) ? root : []
    while (list.length <= Number(part)) list.push({})
    list[Number(part)] = setAt(list[Number(part)] ?? {}, inner, value)
    return list
  }
  const object = isSimulatedObject(root) ? root : {}
  object[part] = setAt(object[part] ?? {}, inner, value)
  return object
}

export function removeAt(root: SimulatedJson, pointer: string): void {
  const parts = partsOf(pointer)
  const last = parts.at(-1)
  const parent = valueAt(root, pointer.slice(0, pointer.lastIndexOf('/')))
  if (last !== undefined && isSimulatedObject(parent)) delete parent[last]
}

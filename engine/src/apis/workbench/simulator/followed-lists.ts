/** Lists whose addresses are in the records of other lists: few records are in each, so that there are many. */
import type { StreamDescription } from '../../described/description/schema.ts'
import { setAt, type SimulatedObject } from './simulated-json.ts'
import type { ListItem } from './simulated-pages.ts'
import type { SimulatedRecords } from './simulated-records.ts'

const recordsInList = 10
const listsInList = 3
const prefix = 'simulated-lists'

export class FollowedLists {
  readonly #stream: StreamDescription
  readonly #records: SimulatedRecords

  constructor(stream: StreamDescription, records: SimulatedRecords) {
    this.#stream = stream
    this.#records = records
  }

  /** Null if the list is no part of others, or the path is not one of theirs. @param base of the addresses */
  items(path: string, isFirst: boolean, base: URL): readonly ListItem[] | null {
    const { follow = [] } = this.#stream
    if (follow.length === 0) return null
    if (isFirst) return this.#lists({ level: 1, from: 0, to: Infinity }, base)
    const [, level = '', number = ''] = new RegExp(`^${prefix}/(\\d+)/(\\d+)$`, 'u').exec(path) ?? []
    if (level === '') return null
    if (Number(level) === follow.length) return this.#recordsOf(Number(number))
    const from = Number(number) * listsInList
    return this.#lists({ level: Number(level) + 1, from, to: from + listsInList }, base)
  }

  #recordsOf(list: number): readonly ListItem[] {
    return this.#records
      .present()
      .filter(({ id }) => listOf(id) === list)
      .map(({ id, json }) => ({ at: 0, id, json }))
  }

  /** The lists of a level, as records of the level above. A list stays when its records are deleted. */
  #lists({ level, from, to }: ListRange, base: URL): readonly ListItem[] {
    const { follow = [] } = this.#stream
    const last = listOf(Math.max(1, ...this.#records.records.keys()))
    const count = Math.floor(last / listsInList ** (follow.length - level)) + 1
    return Array.from({ length: count }, (_, number) => number)
      .filter((number) => number >= from && number < to)
      .map((number) => {
        const address = new URL(`${prefix}/${level}/${number}`, base).href
        return { at: 0, id: number + 1, json: setAt({}, follow[level - 1] ?? '', address) as SimulatedObject }
      })
  }
}

interface ListRange {
  /** From 1: the lists to which the first one leads. */
  readonly level: number
  readonly from: number
  readonly to: number
}

function listOf(id: number): number {
  return Math.floor((id - 1) / recordsInList)
}

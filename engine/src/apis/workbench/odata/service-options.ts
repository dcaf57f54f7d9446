/** What a simulated OData service is made of. */
import type { EntitySetDescription, ODataDescription } from '../../described/description/schema-odata.ts'
import type { SeededRandom } from '../simulator/seeded-random.ts'
import type { SimulatedJson } from '../simulator/simulated-json.ts'
import type { SimulatedRecords } from '../simulator/simulated-records.ts'
import type { SimulatedSet } from './simulated-set.ts'

export interface SimulatedCompany {
  /** Empty if the service has no companies. */
  readonly id: string
  /** As a row has it. */
  readonly value: SimulatedJson
  readonly records: SimulatedRecords
}

export interface ODataServiceOptions {
  readonly description: ODataDescription
  readonly name: string
  readonly set: EntitySetDescription
  readonly simulated: SimulatedSet
  readonly companies: readonly SimulatedCompany[]
  readonly random: SeededRandom
  /** Whether records are deleted while others read. */
  readonly deletes: boolean
}

/** Of a page. */
export const rowsMax = 7

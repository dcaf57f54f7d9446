/** Every route of the product, by noun: what OpenAPI is generated from and what the tests walk. */
import { connectors } from './connectors.ts'
import { organisations } from './organisations.ts'
import { runs } from './runs.ts'
import { session } from './session.ts'
import { warehouse } from './warehouse.ts'

export const routes = { session, organisations, connectors, runs, warehouse } as const

type Nouns = (typeof routes)[keyof typeof routes]
/** The union of all routes; `call` of the portal finds one by `'METHOD /path'`. */
export type AnyRoute = Nouns extends infer Noun ? (Noun extends Noun ? Noun[keyof Noun] : never) : never

/** Every route of the product, by noun: what OpenAPI is generated from and what the tests walk. */
import { administration } from './administration.ts'
import { assignments } from './assignments.ts'
import { connectors } from './connectors.ts'
import { groups } from './groups.ts'
import { organisations } from './organisations.ts'
import { approvals, registration } from './registration.ts'
import { runs } from './runs.ts'
import { security } from './security.ts'
import { session } from './session.ts'
import { structure } from './structure.ts'
import { users } from './users.ts'
import { warehouse } from './warehouse.ts'

export const routes = {
  session,
  security,
  registration,
  approvals,
  organisations,
  users,
  administration,
  structure,
  assignments,
  groups,
  connectors,
  runs,
  warehouse,
} as const

type Nouns = (typeof routes)[keyof typeof routes]
/** The union of all routes; `call` of the portal finds one by `'METHOD /path'`. */
export type AnyRoute = Nouns extends infer Noun ? (Noun extends Noun ? Noun[keyof Noun] : never) : never

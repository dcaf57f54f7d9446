/** Every route of the product, by noun: what OpenAPI is generated from and what the tests walk. */
import { administration } from './global-configuration.ts'
import { alerts } from './alerts.ts'
import { assignments } from './assignments.ts'
import { authorisations } from './authorisations.ts'
import { connectorProperties } from './connector-properties.ts'
import { connectors } from './connectors.ts'
import { groups } from './groups.ts'
import { licences } from './licences.ts'
import { loads } from './loads.ts'
import { organisations } from './organisations.ts'
import { privacy } from './privacy.ts'
import { proof } from './re-authentication.ts'
import { accounting } from './accounting.ts'
import { approvals, registration } from './sign-up.ts'
import { runs } from './runs.ts'
import { schemaChanges } from './schema-changes.ts'
import { security } from './profile.ts'
import { session } from './sign-in.ts'
import { streams } from './streams.ts'
import { structure } from './planning-structure.ts'
import { tableSync } from './table-sync.ts'
import { tieOuts } from './tie-out.ts'
import { users } from './users.ts'
import { warehouse } from './warehouse.ts'

export const routes = {
  session,
  security,
  proof,
  registration,
  approvals,
  organisations,
  users,
  privacy,
  administration,
  structure,
  assignments,
  groups,
  tableSync,
  loads,
  connectors,
  connectorProperties,
  streams,
  licences,
  schemaChanges,
  alerts,
  accounting,
  authorisations,
  tieOuts,
  runs,
  warehouse,
} as const

type Nouns = (typeof routes)[keyof typeof routes]
/** The union of all routes; `call` of the portal finds one by `'METHOD /path'`. */
export type AnyRoute = Nouns extends infer Noun ? (Noun extends Noun ? Noun[keyof Noun] : never) : never

/** All routes by noun. OpenAPI is generated from them, and tests iterate over them. */
import { accounting } from './accounting.ts'
import { alertChannels, ownAlertChannels } from './alert-channels.ts'
import { alerts } from './alerts.ts'
import { approvals } from './approvals.ts'
import { assignments } from './assignments.ts'
import { assistants } from './assistants.ts'
import { auditLog } from './audit-log.ts'
import { auditorRooms } from './auditor-rooms.ts'
import { authorisations } from './authorisations.ts'
import { closedPeriods } from './closed-periods.ts'
import { certificates } from './certificates.ts'
import { historyErasures } from './history-erasures.ts'
import { history } from './history.ts'
import { connectorProperties } from './connector-properties.ts'
import { connectors } from './connectors.ts'
import { dataServers } from './data-servers.ts'
import { data } from './data.ts'
import { dictionary } from './dictionary.ts'
import { globalConfiguration } from './global-configuration.ts'
import { groups } from './groups.ts'
import { insights } from './insights.ts'
import { licences } from './licences.ts'
import { loads } from './loads.ts'
import { mailbox } from './mailbox.ts'
import { oauth } from './oauth.ts'
import { organisations } from './organisations.ts'
import { overview } from './overview.ts'
import { planningStructure } from './planning-structure.ts'
import { preferences } from './preferences.ts'
import { privacy } from './privacy.ts'
import { profile } from './profile.ts'
import { publicationActions } from './publication-actions.ts'
import { queries } from './queries.ts'
import { reAuthentication } from './re-authentication.ts'
import { publications } from './publications.ts'
import { readyBy } from './ready-by.ts'
import { reportMarks } from './report-marks.ts'
import { reports } from './reports.ts'
import { resetPassword } from './reset-password.ts'
import { runs } from './runs.ts'
import { schemaChanges } from './schema-changes.ts'
import { search } from './search.ts'
import { signInRoutes } from './sign-in.ts'
import { signUpRoutes } from './sign-up.ts'
import { logins } from './logins.ts'
import { sourceDescriptions } from './source-descriptions.ts'
import { streams } from './streams.ts'
import { structureMap } from './structure-map.ts'
import { tableSync } from './table-sync.ts'
import { tableRules } from './table-rules.ts'
import { tieOut } from './tie-out.ts'
import { organisationTokens, tokens } from './tokens.ts'
import { trust } from './trust.ts'
import { usage } from './usage.ts'
import { users } from './users.ts'
import { verifications } from './verifications.ts'
import { warehouse } from './warehouse.ts'
import { workbench } from './workbench.ts'

export const routes = {
  signIn: signInRoutes,
  profile,
  preferences,
  tokens,
  organisationTokens,
  oauth,
  assistants,
  logins,
  reAuthentication,
  signUp: signUpRoutes,
  resetPassword,
  approvals,
  organisations,
  users,
  privacy,
  dictionary,
  dataServers,
  globalConfiguration,
  auditLog,
  mailbox,
  planningStructure,
  assignments,
  groups,
  structureMap,
  tableSync,
  loads,
  connectors,
  overview,
  insights,
  connectorProperties,
  sourceDescriptions,
  streams,
  licences,
  schemaChanges,
  alerts,
  alertChannels,
  ownAlertChannels,
  accounting,
  authorisations,
  tieOut,
  verifications,
  readyBy,
  closedPeriods,
  publications,
  reportMarks,
  certificates,
  auditorRooms,
  history,
  tableRules,
  historyErasures,
  publicationActions,
  runs,
  usage,
  warehouse,
  data,
  queries,
  reports,
  search,
  trust,
  workbench,
} as const

type Nouns = (typeof routes)[keyof typeof routes]
/** The union of all routes; `call` of the portal finds one by `'METHOD /path'`. */
export type AnyRoute = Nouns extends infer Noun ? (Noun extends Noun ? Noun[keyof Noun] : never) : never

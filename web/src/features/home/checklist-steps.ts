/** What each step of a checklist is called, and where it is done. */
import type { ChecklistName, ChecklistStep } from '@tributary/contract/checklist'
import type { OverviewConnector } from '@tributary/contract/overview'
import { paths } from '../../paths.ts'
import { runPath } from './connector-links.ts'

export const checklistTitles: Readonly<Record<ChecklistName, string>> = {
  connect: 'From a source to your first report',
  excel: 'Plan in Excel, if you plan in a spreadsheet',
}

export const stepTexts: Readonly<Record<ChecklistStep, { readonly title: string; readonly text: string }>> = {
  connectSource: { title: 'Connect a source', text: 'Choose a card under ‘Available connectors’.' },
  firstRun: { title: 'Run it once', text: 'The first run starts when you save the connector.' },
  seeRows: { title: 'See your rows', text: 'The run lists its tables and their rows.' },
  connectReport: { title: 'Connect a report', text: 'Power BI and any SQL client can read the rows.' },
  inviteColleague: { title: 'Invite a colleague', text: 'They get an email with a link.' },
  areas: { title: 'Create areas', text: 'Add subareas, and link them to areas.' },
  versions: { title: 'Create versions', text: 'Each needs a milestone, such as ‘Approved’.' },
  tables: { title: 'Create the tables', text: 'Synchronise them to your database.' },
  groups: { title: 'Grant rights', text: 'Create a security group and add people.' },
  firstLoad: { title: 'Load a sheet', text: 'From the portal or from the Excel add-in.' },
}

/** Where a step is done; null while an earlier step must be done first. */
export function stepPath(step: ChecklistStep, connectors: readonly OverviewConnector[]): string | null {
  const own = connectors.filter(({ SharedBy }) => SharedBy === null)
  switch (step) {
    case 'connectSource':
      return '#available'
    case 'firstRun':
      return latestRunPath(own)
    case 'seeRows':
      return latestRunPath(own.filter(({ FreshAtUtc }) => FreshAtUtc !== null))
    case 'connectReport':
      return own[0] === undefined ? null : paths.connectReports(own[0].Type)
    case 'inviteColleague':
      return paths.inviteUsers
    case 'areas':
      return paths.areas
    case 'versions':
      return paths.versions
    case 'tables':
      return paths.tableSync
    case 'groups':
      return paths.securityGroups
    case 'firstLoad':
      return paths.loads
  }
}

/** The latest run of the first connector, or its drawer if it never ran. */
function latestRunPath([connector]: readonly OverviewConnector[]): string | null {
  if (connector === undefined) return null
  const { Type, Id, LastRun } = connector
  return LastRun === null ? paths.run(Type, Id, null) : runPath(connector, LastRun.Id)
}

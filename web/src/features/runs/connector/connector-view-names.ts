/** Views of a connector, in the order of their links. The first one is the default. */
export const connectorViews = {
  runs: 'Runs',
  readyBy: 'Ready by',
  tables: 'Tables',
  rules: 'Filters and masks',
  history: 'History',
  verification: 'Verification',
  charts: 'Charts',
  calls: 'Calls',
  changes: 'Changes',
  incidents: 'Incidents',
  tieOut: 'Tie-out',
  closedPeriods: 'Closed periods',
} as const
export type ConnectorViewName = keyof typeof connectorViews

export function parseViewName(name: string | null): ConnectorViewName {
  return name !== null && Object.hasOwn(connectorViews, name) ? (name as ConnectorViewName) : 'runs'
}

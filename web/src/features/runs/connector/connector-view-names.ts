/** The views of a connector, in the order of their links. The first is what opens without a name. */
export const views = {
  runs: 'Runs',
  tables: 'Tables',
  charts: 'Charts',
  changes: 'Changes',
  incidents: 'Incidents',
  tieOut: 'Tie-out',
} as const
export type View = keyof typeof views

export function viewOf(name: string | null): View {
  return name !== null && Object.hasOwn(views, name) ? (name as View) : 'runs'
}

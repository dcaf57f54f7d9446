import { useWorkspace } from '../../api/session/workspace.ts'

/** Returns a formatter in the organisation's time zone, which its schedules and the server's messages use, too. */
export function useOrganisationClock(parts: Intl.DateTimeFormatOptions): (at: string) => string {
  const { TimeZone } = useWorkspace().organisation
  const format = new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: TimeZone })
  return (at) => format.format(Date.parse(at))
}

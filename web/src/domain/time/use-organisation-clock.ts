import { useWorkspace } from '../../api/session/workspace.ts'

/** Tells a moment on the organisation's clock, by which its schedules run and the server's sentences speak, wherever one reads it. */
export function useClock(parts: Intl.DateTimeFormatOptions): (at: string) => string {
  const { TimeZone } = useWorkspace().organisation
  const format = new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: TimeZone })
  return (at) => format.format(Date.parse(at))
}

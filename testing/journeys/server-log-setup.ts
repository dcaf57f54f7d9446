/** Checks after the journeys that the server logged no error and no warning, except those that a journey provokes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A journey disconnects a company while its first run reads it; another names a table that does not exist. */
const provoked = /"code":"(?:xero\.disconnected|closed_periods\.table)"/

export default function expectCleanLog(): void {
  const lines = readFileSync(join(process.env['TRIBUTARY_E2E_HOME'] ?? '', 'server.log'), 'utf8').split('\n')
  if (!lines.some((line) => line.includes('"level":"info"')))
    throw new Error('The server log has no line in the form of JSON, so its warnings would be missed.')
  const complaints = lines.filter((line) => /"level":"(?:error|warn)"/.test(line) && !provoked.test(line))
  if (complaints.length > 0) throw new Error(`The server log has errors or warnings:\n${complaints.join('\n')}`)
}

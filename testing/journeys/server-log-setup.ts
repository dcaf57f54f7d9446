/** Checks after the journeys that the server logged no error and no warning. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export default function expectCleanLog(): void {
  const log = readFileSync(join(process.env['TRIBUTARY_E2E_HOME'] ?? '', 'server.log'), 'utf8')
  const complaints = log.split('\n').filter((line) => /"level":"(error|warn)"/.test(line))
  if (complaints.length > 0) throw new Error(`The server log has errors or warnings:\n${complaints.join('\n')}`)
}

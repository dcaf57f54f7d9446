/** A server in a separate process on a test's store. Its argument is `ServerSettings` as JSON. */
import { buildApp } from '../../../server/src/app.ts'
import { openProcessServices, type ProcessSettings } from './process-services.ts'

export interface ServerSettings extends ProcessSettings {
  readonly port: number
}

const settings = JSON.parse(process.argv[2] ?? '') as ServerSettings
const http = await buildApp(await openProcessServices(settings))
await http.listen({ host: '127.0.0.1', port: settings.port })
// Exits when the test process has been killed.
setInterval(() => {
  if (process.ppid === 1) process.exit(1)
}, 500).unref()
process.stdout.write('ready\n')

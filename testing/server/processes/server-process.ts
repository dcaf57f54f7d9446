/** A server in a process of its own, on a test's store, to be killed. Its one argument says where everything is. */
import { buildApp } from '../../../server/src/app.ts'
import { openProcessServices, type ProcessPlace } from './process-services.ts'

export interface ServerPlace extends ProcessPlace {
  readonly port: number
}

const place = JSON.parse(process.argv[2] ?? '') as ServerPlace
const http = await buildApp(await openProcessServices(place))
await http.listen({ host: '127.0.0.1', port: place.port })
// Whoever kills the test kills its servers, too.
setInterval(() => {
  if (process.ppid === 1) process.exit(1)
}, 500).unref()
process.stdout.write('ready\n')

/** A worker in a separate process that tests can kill. Its argument is `WorkerSettings` as JSON. */
import { keepReadyBy } from '../../../server/src/features/ready-by/keep-ready-by.ts'
import { fireAllDue } from '../../../server/src/features/runs/scheduling/fire-schedules.ts'
import { startWorker, type Worker, type WorkerOptions } from '../../../server/src/worker.ts'
import { systemClock } from '../../../server/src/kernel/clock.ts'
import { openProcessServices, type ProcessSettings } from './process-services.ts'

export interface WorkerSettings extends ProcessSettings {
  readonly options: WorkerOptions
  /** Only fires schedules, or plans and starts runs of *Ready by*, in a loop. */
  readonly only?: keyof typeof loops
}

const loops = { schedules: fireAllDue, readyBy: keepReadyBy }

const settings = JSON.parse(process.argv[2] ?? '') as WorkerSettings
const services = await openProcessServices(settings)
const worker =
  settings.only === undefined ? await startWorker(services, settings.options) : repeatForEver(loops[settings.only])
process.once('SIGTERM', () => {
  void worker.stop().then(() => process.exit(0))
})

function repeatForEver(poll: (typeof loops)[keyof typeof loops]): Worker {
  const stopping = new AbortController()
  const firing = (async () => {
    while (!stopping.signal.aborted) {
      await poll(services)
      await systemClock.sleep(settings.options.pollMs ?? 50)
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await firing
    },
  }
}

// Exits when the test process has been killed.
setInterval(() => {
  if (process.ppid === 1) process.exit(1)
}, 500).unref()
process.stdout.write('ready\n')

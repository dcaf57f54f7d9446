/** A worker in a process of its own, to be killed by tests. Its one argument says where everything is. */
import { fireAllDue } from '../../../server/src/features/runs/scheduling/fire-schedules.ts'
import { startWorker, type Worker, type WorkerOptions } from '../../../server/src/worker.ts'
import { systemClock } from '../../../server/src/kernel/clock.ts'
import { openProcessServices, type ProcessPlace } from './process-services.ts'

export interface WorkerPlace extends ProcessPlace {
  readonly options: WorkerOptions
  /** Fires the schedules, again and again, and does nothing else. */
  readonly onlySchedules?: true
}

const place = JSON.parse(process.argv[2] ?? '') as WorkerPlace
const services = await openProcessServices(place)
const worker = place.onlySchedules === true ? fireForEver() : await startWorker(services, place.options)
process.once('SIGTERM', () => {
  void worker.stop().then(() => process.exit(0))
})

function fireForEver(): Worker {
  const stopping = new AbortController()
  const firing = (async () => {
    while (!stopping.signal.aborted) {
      await fireAllDue(services)
      await systemClock.sleep(place.options.pollMs ?? 50)
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await firing
    },
  }
}

// Whoever kills the test kills its workers, too.
setInterval(() => {
  if (process.ppid === 1) process.exit(1)
}, 500).unref()
process.stdout.write('ready\n')

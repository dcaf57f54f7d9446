/** A worker in a separate process that continues moves of warehouses, and kills itself before a step. Its argument is `MoveProcessSettings` as JSON. */
import { runMoves } from '../../../server/src/access/warehouse/moves/run-moves.ts'
import { openProcessServices, type ProcessSettings } from './process-services.ts'

export interface MoveProcessSettings extends ProcessSettings {
  /** The state before whose step the process ends, as by a power cut. */
  readonly killBefore: string
  /** Or this long after that moment, in the middle of the step. */
  readonly afterMs: number
}

const settings = JSON.parse(process.argv[2] ?? '') as MoveProcessSettings
const services = await openProcessServices(settings)
await runMoves(services, {
  signal: new AbortController().signal,
  leaseMs: 1_000,
  patienceMs: 2_000,
  graceMs: 1_000,
  beforeStep: async (state) => {
    if (state !== settings.killBefore) return
    if (settings.afterMs === 0) process.kill(process.pid, 'SIGKILL')
    else setTimeout(() => process.kill(process.pid, 'SIGKILL'), settings.afterMs)
  },
})
process.exit(0)

/** The source and the people of a data folder that an earlier release wrote: shared by the script that makes it and the upgrade test. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cin7Simulator, startCin7 } from '@tributary/sims/cin7/server'

/** The release that wrote the data folder. */
export const release = 'bcf5615'

/** Administrator of Summit Foods in the trial. Its other connector is not due, so the cut run has the organisation to itself. */
export const administrator = 'admin@other.example'
export const provider = 'superadmin@demo.example'
/** Invited before the kill: the email is stored encrypted. */
export const mailRecipient = 'rosa.field@other.example'
export const connectorName = 'Upgrade'
/** The connector's schema in the warehouse. */
export const schema = 'upgrade'

export const archiveFile = `${import.meta.dirname}/cut-run.tar.zst`
export const recordFile = `${import.meta.dirname}/cut-run.json`

/** What the script records next to the archive. */
export interface CutRun {
  readonly clientId: string
  readonly connectorId: string
  readonly runId: string
  /** ISO 8601. */
  readonly killedAt: string
  /** Streams whose last checkpoint was committed before the kill. */
  readonly finishedStreams: readonly string[]
  /** Sales that were committed before the kill, by ID. The stream of sales was cut. */
  readonly committedSales: readonly string[]
}

/** The source's time. It never moves, so the archive and the simulator always hold the same company. */
const sourceTime = Date.parse('2026-11-20T09:00:00Z')

/** Stored in the connector's settings. Below the ephemeral ports of Linux and macOS. */
export const sourcePort = 29_117

const size = {
  products: 30,
  customers: 10,
  suppliers: 3,
  sales: 24,
  purchases: 12,
  salesMax: 24,
  purchasesMax: 12,
  tasks: 2,
  days: 90,
}

/** Waits while another test run on the same machine uses the port. */
export async function startSource(): Promise<Cin7Simulator> {
  const options = { clock: { now: () => sourceTime }, seed: 41, size, port: sourcePort, limits: { calls: Infinity } }
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await startCin7(options)
    } catch (error) {
      if (attempt === 120) throw error
      await sleep(500)
    }
  }
}

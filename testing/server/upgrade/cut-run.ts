/**
 * The source and users of a data folder that an earlier release wrote. Shared by the script that makes it and the test.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startUniconta, type UnicontaSimulator } from '@tributary/sims/uniconta/server'

/** The release that wrote the data folder. */
export const release = 'bcf5615'

/**
 * Administrator of Summit Foods in the trial. No other connector of the organisation is due, so only the cut run runs.
 */
export const administrator = 'admin@other.example'
export const provider = 'superadmin@demo.example'
/** Invited before the kill: the email is stored encrypted. */
export const mailRecipient = 'rosa.field@other.example'
export const connectorName = 'Upgrade'
/** The stream that was cut: the entries of the ledger, read in windows of dates. */
export const cutStream = 'GLTransClient'
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
  /** Streams, named as the source's entity sets, that were read to their last checkpoint before the kill. */
  readonly finishedStreams: readonly string[]
  /** Of the stream that was cut, by company: entries before this day were committed. */
  readonly committedBefore: Readonly<Record<string, string>>
}

/** The source's time. It never moves, so the archive and the simulator always hold the same companies. */
const sourceTime = Date.parse('2026-11-20T09:00:00Z')

/** Stored in the connector's settings. Below the ephemeral ports of Linux and macOS. */
export const sourcePort = 29_117

const size = { customers: 10, vendors: 3, items: 6, invoices: 40, purchases: 10, orders: 4, days: 800 }

/** Waits while another test run on the same machine uses the port. */
export async function startSource(): Promise<UnicontaSimulator> {
  const options = { clock: { now: () => sourceTime }, seed: 41, size, pageSize: 50, port: sourcePort }
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await startUniconta(options)
    } catch (error) {
      if (attempt === 120) throw error
      await sleep(500)
    }
  }
}

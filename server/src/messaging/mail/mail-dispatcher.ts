/** The sending side: empties the outbox whenever the bell rings or somebody looks after it, with one mail server for all. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queue } from '../../kernel/queue/queue.ts'
import { mailChannel } from './outbox.ts'
import { sendNext, type MailSendingServices } from './send-due-mails.ts'
import { openMailServer } from './smtp.ts'

interface MailDispatcherServices extends MailSendingServices {
  readonly queue: Queue
}

export interface MailDispatcher {
  /** Tries all that is due: what is to be tried again, and what nobody rang for. */
  sendDue(): Promise<void>
  /** Takes no more mail, and lets what is under way go out. */
  close(): Promise<void>
}

const slots = 4
/** What is cut off after that goes out again, with the same Message-ID. */
const finishMs = 4_000

export async function openMailDispatcher(services: MailDispatcherServices): Promise<MailDispatcher> {
  const { config, queue } = services
  // In a trial nothing leaves.
  if (config.mode === 'trial' || config.smtpUrl === null)
    return { sendDue: async () => undefined, close: async () => undefined }
  const server = openMailServer(config.smtpUrl, config.mailFrom)
  const underWay = new Set<Promise<void>>()
  const closing = new AbortController()

  async function empty(): Promise<void> {
    while (!closing.signal.aborted && (await sendNext(services, server)));
  }

  function sendDue(): Promise<void> {
    const round = empty().finally(() => underWay.delete(round))
    underWay.add(round)
    return round
  }

  const unlisten = await queue.subscribe(mailChannel, slots, sendDue)
  return {
    sendDue,
    async close() {
      closing.abort()
      await unlisten()
      await Promise.race([Promise.allSettled(underWay), sleep(finishMs, undefined, { ref: false })])
      server.close()
    },
  }
}

/**
 * Sends the mails of the outbox, after a wake-up notification or on request, over one connection pool to the mail
 * server.
 */
import type { SecurityServices } from '../../security/security-services.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { mailChannel } from './outbox.ts'
import { sendNext, type MailSendingServices } from './send-due-mails.ts'
import { openMailServer } from './smtp.ts'

type MailDispatcherServices = MailSendingServices & Pick<SecurityServices, 'queue'>

const slots = 4
/** A mail that is interrupted after this time is sent again later, with the same Message-ID. */
const finishMs = 4_000

export async function openMailDispatcher(services: MailDispatcherServices) {
  const { config, queue } = services
  // A trial sends no mail.
  if (config.mode === 'trial' || config.smtpUrl === null)
    return { sendDue: async () => undefined, close: async () => undefined }
  const server = openMailServer(config.smtpUrl, config.mailFrom)
  const inProgress = new Set<Promise<void>>()
  const closing = new AbortController()

  async function sendAll(): Promise<void> {
    while (!closing.signal.aborted && (await sendNext(services, server)));
  }

  /** Tries all due mails: retries, and mails whose notification was lost. */
  function sendDue(): Promise<void> {
    const sending = sendAll().finally(() => inProgress.delete(sending))
    inProgress.add(sending)
    return sending
  }

  const unsubscribe = await queue.subscribe(mailChannel, slots, sendDue)
  return {
    sendDue,

    /** Claims no more mail, and waits up to `finishMs` for mails in progress. */
    async close() {
      closing.abort()
      await unsubscribe()
      await Promise.race([Promise.allSettled(inProgress), sleep(finishMs, undefined, { ref: false })])
      server.close()
    },
  }
}

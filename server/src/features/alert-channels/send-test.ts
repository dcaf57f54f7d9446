/** Sends test messages, and says in words what the service answered. */
import { getCompanyName } from '../../identity/people/organisations.ts'
import { randomUUID } from 'node:crypto'
import type { AppServices } from '../../app-services.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { EmailContent } from '../../kernel/mail/email-content.ts'
import {
  decryptChannelAddress,
  renderMessage,
  sendToChannel,
  serviceTitles,
  unreadableAddress,
} from '../../messaging/alert-channels/alert-channel.ts'
import { renderEmail } from '../../messaging/mail/render-email.ts'
import { openMailServer } from '../../messaging/mail/smtp.ts'
import { settingsWrong, webhookCallLimit } from '../../messaging/webhooks/webhook.ts'
import { type ChannelOwner, getStoredChannel } from './queries.ts'

interface TestResult {
  readonly delivered: boolean
  readonly notice: string
}

/** Throws `settingsWrong` if the address cannot be decrypted. */
export async function testChannel(
  services: Pick<AppServices, 'clock' | 'config' | 'network' | 'secrets' | 'store' | 'throttle'>,
  owner: ChannelOwner,
  channelId: string,
): Promise<TestResult> {
  const { organisationId, actor } = owner
  const { channel, companyName } = await services.store.within(organisationId, async (db) => ({
    channel: await decryptChannelAddress(db, services, {
      ...(await getStoredChannel(db, organisationId, owner, channelId)),
      organisationId,
      channelId,
    }),
    companyName: await getCompanyName(db, organisationId),
  }))
  if (channel === null) throw settingsWrong(unreadableAddress, 'address')
  await services.throttle.attempt(webhookCallLimit, organisationId)
  const content = testContent(services, actor, companyName, organisationId)
  const data = { Event: 'test', OrganisationId: organisationId }
  const failure = await sendToChannel(services, channel, {
    id: randomUUID(),
    body: renderMessage(channel.service, content, data),
    sentAt: new Date(services.clock.now()),
  })
  if (failure !== null) return { delivered: false, notice: failure.notice }
  return { delivered: true, notice: acceptedNotices[channel.service] }
}

const acceptedNotices = {
  slack: `${serviceTitles.slack} has posted the test message.`,
  // The workflow answers before it posts the card.
  teams:
    'The workflow accepted the test message. If it does not appear in Teams, look at the run history of the workflow.',
  webhook: 'The webhook accepted the test message.',
} as const

const testMailLimit = { kind: 'test mail', free: 5, waitMs: 60_000, waitMaxMs: 600_000, windowMs: 3_600_000 }

/** Sends the mail to the caller, past the outbox, because the answer of the mail server is what the caller wants. */
export async function testMail(
  services: Pick<AppServices, 'clock' | 'config' | 'mailer' | 'store' | 'throttle'>,
  { organisationId, actor }: ChannelOwner,
): Promise<TestResult> {
  const { clock, config, mailer, store, throttle } = services
  await throttle.attempt(testMailLimit, actor.userId)
  const companyName = await store.within(organisationId, (db) => getCompanyName(db, organisationId))
  const content = testContent(services, actor, companyName, organisationId)
  const { emailAddress: recipient } = actor
  if (config.mode === 'trial' || config.smtpUrl === null) {
    // Across: mail belongs to no organisation.
    await store.across((db) => mailer.enqueue(db, recipient, content))
    return { delivered: true, notice: `This trial sends no mail. The test mail is at ${config.publicUrl}/mailbox.` }
  }
  const server = openMailServer(config.smtpUrl, config.mailFrom)
  try {
    const { hostname } = new URL(config.publicUrl)
    const writtenAt = new Date(clock.now()).toISOString()
    const messageId = `<${randomUUID()}@${hostname}>`
    await server.send({ messageId, recipient, writtenAt, ...renderEmail(content, config.publicUrl) })
    return { delivered: true, notice: `The mail server accepted the test mail to ${recipient}.` }
  } catch (error) {
    return { delivered: false, notice: describeMailFailure(error, recipient) }
  } finally {
    server.close()
  }
}

/** Without the words of the mail server, which are the operator's matter. */
function describeMailFailure(error: unknown, recipient: string): string {
  const { code, command, responseCode = 0 } = error as { code?: string; command?: string; responseCode?: number }
  if (command === 'RCPT TO') return `The mail server does not accept mail to ${recipient} (${responseCode}).`
  if (code === 'EAUTH') return 'The mail server refused the sign-in of Tributary. Ask the operator of Tributary.'
  if (responseCode > 0) return `The mail server refused the test mail (${responseCode}). Ask the operator of Tributary.`
  return 'The mail server did not answer. Ask the operator of Tributary.'
}

function testContent(
  { config }: Pick<AppServices, 'config'>,
  { firstName, lastName }: Actor,
  companyName: string,
  organisationId: string,
): EmailContent {
  return {
    template: 'alert-test',
    subject: 'Test message from Tributary',
    paragraphs: [
      `${firstName} ${lastName} has sent this message to see that alerts of ${companyName} arrive here.`,
      'Nothing is wrong, and there is nothing to do.',
    ],
    action: { label: 'Open Tributary', url: `${config.publicUrl}/?organisation=${organisationId}` },
  }
}

/** Messages to Slack by incoming webhooks: their format, and what Slack's answers mean. */
import type { EmailContent } from '../../kernel/mail/email-content.ts'
import { type DeliveryFailure, final, type PostAnswer, temporary } from '../post-message.ts'
import { fitParagraphs, truncateText } from './fit-message.ts'

/** Of Block Kit, in characters. */
const headerMax = 150
const sectionMax = 3_000
const contextMax = 2_000
/** Slack documents 40,000 characters, but refuses blocks of more than about 13,000 as `msg_blocks_too_long`. */
const blocksMax = 12_000

/**
 * The JSON body of a message. Text of people and of sources is `plain_text`, in which Slack finds no links and no
 * mentions.
 */
export function renderSlackMessage(content: EmailContent): string {
  const { subject, action, footnote } = content
  const render = (paragraphs: readonly string[]) => [
    { type: 'header', text: plainText(subject, headerMax) },
    ...paragraphs.map((paragraph) => ({ type: 'section', text: plainText(paragraph, sectionMax) })),
    ...(action === undefined ? [] : [{ type: 'section', text: link(action) }]),
    ...(footnote === undefined ? [] : [{ type: 'context', elements: [plainText(footnote, contextMax)] }]),
  ]
  const paragraphs = content.paragraphs.filter((paragraph) => paragraph.trim() !== '')
  const blocks = render(fitParagraphs(paragraphs, (some) => JSON.stringify(render(some)).length <= blocksMax))
  // The text of notifications, in which Slack would find links and mentions.
  const text = escapeMarkup(truncateText(subject, sectionMax))
  return JSON.stringify({ text, blocks, unfurl_links: false, unfurl_media: false })
}

function plainText(text: string, max: number) {
  return { type: 'plain_text', text: truncateText(text, max), emoji: false }
}

function link({ label, url }: { readonly label: string; readonly url: string }) {
  const address = url.replaceAll('|', '%7C')
  return { type: 'mrkdwn', text: `<${escapeMarkup(address)}|${escapeMarkup(label)}>`, verbatim: true }
}

/** The three characters that Slack's markup reserves. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Slack accepts with 200 and `ok`. Otherwise it answers with a code as plain text. */
export function readSlackAnswer({ status, text, retryAfterMs }: PostAnswer): DeliveryFailure | null {
  const code = text.trim()
  if (status === 200 && code === 'ok') return null
  if (status === 429)
    return temporary(
      'Slack accepts no more messages at this address for a moment. It is sent again later.',
      retryAfterMs,
    )
  if (status >= 500 || status === 408)
    return temporary(`Slack has a problem (it answered ${status}). The message is sent again later.`)
  return final(noticeByCode.get(code) ?? noticeByStatus(status))
}

/** By the codes that Slack documents for incoming webhooks. */
const noticeByCode: ReadonlyMap<string, string> = new Map([
  [
    'action_prohibited',
    'The Slack workspace does not allow this webhook to post (action_prohibited). Ask an administrator of the workspace.',
  ],
  [
    'channel_is_archived',
    'The Slack channel is archived (channel_is_archived). Restore it in Slack, or enter the address of a webhook for another channel.',
  ],
  [
    'channel_not_found',
    'The Slack channel no longer exists (channel_not_found). Enter the address of a webhook for another channel.',
  ],
  ['invalid_payload', 'Slack could not read the message (invalid_payload).'],
  ['invalid_blocks', 'Slack refused the layout of the message (invalid_blocks).'],
  ['invalid_blocks_format', 'Slack refused the layout of the message (invalid_blocks_format).'],
  [
    'invalid_token',
    'Slack does not know this address (invalid_token). Copy the address of the incoming webhook again, in full.',
  ],
  ['msg_blocks_too_long', 'The message is too long for Slack (msg_blocks_too_long).'],
  ['no_active_hooks', 'The webhook is switched off in Slack (no_active_hooks). Switch it on, or create another one.'],
  [
    'no_service',
    'The webhook was removed or switched off in Slack (no_service). Create an incoming webhook and enter its address.',
  ],
  [
    'no_service_id',
    'The address is incomplete (no_service_id). Copy the address of the incoming webhook again, in full.',
  ],
  [
    'no_team',
    'Slack does not know the workspace of this address (no_team). Copy the address of the incoming webhook again.',
  ],
  ['no_text', 'Slack found no text in the message (no_text).'],
  [
    'posting_to_general_channel_denied',
    'The workspace does not allow messages to its general channel (posting_to_general_channel_denied). Choose another channel.',
  ],
  ['team_disabled', 'The Slack workspace is switched off (team_disabled).'],
  ['too_many_attachments', 'The message has too many attachments for Slack (too_many_attachments).'],
  ['user_not_found', 'The person whom this webhook writes to is no longer in Slack (user_not_found).'],
])

function noticeByStatus(status: number): string {
  if (status === 200) return 'The address answered, but not as Slack does. Is it the address of an incoming webhook?'
  if (status === 404)
    return 'Slack finds nothing at this address (404). Copy the address of the incoming webhook again.'
  if (status === 410)
    return 'What this address belonged to is gone (410). Create an incoming webhook and enter its address.'
  if (status === 413) return 'The message is too large for Slack (413).'
  return `Slack refused the message (it answered ${status}).`
}

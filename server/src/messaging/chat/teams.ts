/** Messages to Microsoft Teams by a webhook of its Workflows app: their format, and what its answers mean. */
import type { EmailContent } from '../../kernel/mail/email-content.ts'
import { type DeliveryFailure, final, type PostAnswer, temporary } from '../post-message.ts'
import { fitParagraphs, truncateText } from './fit-message.ts'

/** Teams documents 28 KB for a message, in which the workflow wraps the card. */
const messageMaxBytes = 20_000
const titleMax = 300
const paragraphMax = 3_000

/**
 * The JSON body of a message: an Adaptive Card 1.4. Text of people and of sources is in text runs, in which Teams finds
 * no Markdown, and therefore no links.
 */
export function renderTeamsMessage(content: EmailContent): string {
  const { subject, action, footnote } = content
  const render = (paragraphs: readonly string[]) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          lang: 'en',
          body: [
            textBlock({ text: truncateText(subject, titleMax), size: 'large', weight: 'bolder' }),
            ...paragraphs.map((text) => textBlock({ text: truncateText(text, paragraphMax) })),
            ...(footnote === undefined ? [] : [textBlock({ text: footnote, size: 'small', isSubtle: true })]),
          ],
          ...(action !== undefined && {
            actions: [{ type: 'Action.OpenUrl', title: action.label, url: action.url }],
          }),
        },
      },
    ],
  })
  const paragraphs = content.paragraphs.filter((paragraph) => paragraph.trim() !== '')
  const fits = (some: readonly string[]) => Buffer.byteLength(JSON.stringify(render(some))) <= messageMaxBytes
  return JSON.stringify(render(fitParagraphs(paragraphs, fits)))
}

interface TextRun {
  readonly text: string
  readonly size?: 'small' | 'large'
  readonly weight?: 'bolder'
  readonly isSubtle?: boolean
}

function textBlock(run: TextRun) {
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', ...run }] }
}

/** A workflow accepts with 202, before it posts the card. Otherwise it answers with a code in JSON. */
export function readTeamsAnswer({ status, text, retryAfterMs }: PostAnswer): DeliveryFailure | null {
  if (status >= 200 && status < 300) return null
  if (status === 429)
    return temporary(
      'The workflow accepts no more messages for a moment. The message is sent again later.',
      retryAfterMs,
    )
  if (status >= 500 || status === 408)
    return temporary(`Microsoft Teams has a problem (it answered ${status}). The message is sent again later.`)
  const code = codeOf(text)
  return final(noticeByCode.get(code) ?? noticeByStatus(status))
}

function codeOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly code?: unknown } }
    return typeof error?.code === 'string' ? error.code : ''
  } catch {
    return ''
  }
}

const copyAgain = 'Copy the address from the workflow again, in full.'
const letAnyone = 'Set “Who can trigger the flow?” to Anyone, then copy the address again, in full.'

/** By the codes of the service that runs workflows. */
const noticeByCode: ReadonlyMap<string, string> = new Map([
  [
    'DirectApiAuthorizationRequired',
    `The workflow accepts only people who are signed in, or the address lacks its signature (DirectApiAuthorizationRequired). ${letAnyone}`,
  ],
  ['AuthorizationFailed', `The signature in the address is not right (AuthorizationFailed). ${copyAgain}`],
  [
    'InvalidSharedAccessSignature',
    `The signature in the address is not right (InvalidSharedAccessSignature). ${copyAgain}`,
  ],
  [
    'TriggerInputSchemaMismatch',
    'The workflow expects another format (TriggerInputSchemaMismatch). Create it from the template for webhook alerts.',
  ],
  [
    'WorkflowNotFound',
    'The workflow no longer exists (WorkflowNotFound). Create one in the Workflows app of Teams and enter its address.',
  ],
  [
    'WorkflowTriggerNotFound',
    `The workflow no longer begins with a webhook request (WorkflowTriggerNotFound). ${copyAgain}`,
  ],
  [
    'WorkflowTriggerIsNotEnabled',
    'The workflow is switched off or deleted (WorkflowTriggerIsNotEnabled). Switch it on in the Workflows app of Teams, or create another one and enter its address.',
  ],
  ['WorkflowDisabled', 'The workflow is switched off (WorkflowDisabled). Switch it on in the Workflows app of Teams.'],
])

function noticeByStatus(status: number): string {
  if (status === 400)
    return 'The workflow could not read the message (400). Create it from the template for webhook alerts.'
  if (status === 401 || status === 403) return `The workflow does not accept this address (${status}). ${letAnyone}`
  if (status === 404) return `There is no workflow at this address (404). ${copyAgain}`
  if (status === 410)
    return 'The workflow is gone (410). Create one in the Workflows app of Teams and enter its address.'
  if (status === 413) return 'The message is too large for Microsoft Teams (413).'
  return `Microsoft Teams refused the message (it answered ${status}).`
}

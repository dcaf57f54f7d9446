/** Emails about OAuth grants that end or cannot be renewed. */
import type { EmailContent } from '../../kernel/mail/email-content.ts'

interface GrantEmailData {
  /** As people call the source: `Xero`. */
  readonly title: string
  readonly companyName: string
  readonly connectorNames: readonly string[]
  readonly url: string
}

/** A source takes the sign-in of these connectors no more. */
export function authorisationEnded({ title, companyName, connectorNames, url }: GrantEmailData): EmailContent {
  return {
    template: 'authorisation-ended',
    subject: `Tributary is no longer let in at ${title}`,
    paragraphs: [
      `${title} no longer takes the authorisation by which these connectors of ${companyName} sign in: ${connectorNames.join(', ')}.`,
      'It was taken back, or has run out. Until somebody authorises them again they stand still; nothing that was moved is lost, and they go on where they stopped.',
    ],
    action: { label: 'Authorise again', url },
  }
}

/** The sign-in of these connectors could not be renewed for weeks. */
export function authorisationEnding({
  title,
  companyName,
  connectorNames,
  url,
  days,
}: GrantEmailData & { readonly days: number }): EmailContent {
  return {
    template: 'authorisation-ending',
    subject: `Tributary’s authorisation at ${title} ends in ${days} ${days === 1 ? 'day' : 'days'}`,
    paragraphs: [
      `The authorisation by which these connectors of ${companyName} sign in at ${title} could not be renewed for weeks: ${connectorNames.join(', ')}.`,
      `If that goes on, it ends in ${days} ${days === 1 ? 'day' : 'days'}. Authorise the connectors again, or ask whoever runs Tributary why ${title} cannot be reached.`,
    ],
    action: { label: 'Authorise again', url },
  }
}

/** Emails about OAuth grants that end or cannot be renewed. */
import type { EmailContent } from '../../kernel/mail/email-content.ts'

export interface GrantEmailData {
  /** The display name of the source, such as `Xero`. */
  readonly sourceTitle: string
  readonly companyName: string
  /** A connector of several companies is followed by those that the grant reaches. */
  readonly connectorNames: readonly string[]
  /** Some of the connectors move several companies into one set of tables. */
  readonly areShared: boolean
  readonly url: string
}

const othersContinue =
  'A connector of several companies continues with those that other authorisations reach. The rows of the companies in brackets stay as they are.'

/** The source no longer accepts the grant of these connectors. */
export function authorisationEnded({
  sourceTitle,
  companyName,
  connectorNames,
  areShared,
  url,
}: GrantEmailData): EmailContent {
  return {
    template: 'authorisation-ended',
    subject: `Tributary’s authorisation at ${sourceTitle} has ended`,
    paragraphs: [
      `${sourceTitle} no longer accepts the authorisation of these connectors of ${companyName}: ${connectorNames.join(', ')}.`,
      'It was revoked or has expired. No data that was moved is lost. The connectors do not run until you authorise them again; then they continue where they stopped.',
      ...(areShared ? [othersContinue] : []),
    ],
    action: { label: 'Authorise again', url },
  }
}

/** The grant of these connectors could not be refreshed for weeks. */
export function authorisationEnding({
  sourceTitle,
  companyName,
  connectorNames,
  areShared,
  url,
  days,
}: GrantEmailData & { readonly days: number }): EmailContent {
  return {
    template: 'authorisation-ending',
    subject: `Tributary’s authorisation at ${sourceTitle} ends in ${days} ${days === 1 ? 'day' : 'days'}`,
    paragraphs: [
      `The authorisation of these connectors of ${companyName} at ${sourceTitle} could not be renewed for weeks: ${connectorNames.join(', ')}.`,
      `Unless it is renewed, it ends in ${days} ${days === 1 ? 'day' : 'days'}. Authorise the connectors again, or ask the operator of Tributary why ${sourceTitle} cannot be reached.`,
      ...(areShared ? [othersContinue] : []),
    ],
    action: { label: 'Authorise again', url },
  }
}

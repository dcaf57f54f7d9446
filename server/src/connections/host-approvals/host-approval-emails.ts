/** Emails about hosts of sources that customers describe. */
import type { EmailContent } from '../../kernel/mail/email-content.ts'

interface HostEmailData {
  readonly companyName: string
  readonly connectorName: string
  readonly hosts: readonly string[]
  readonly url: string
}

/** To the provider. */
export function hostsWaiting({ companyName, connectorName, hosts, url }: HostEmailData): EmailContent {
  return {
    template: 'hosts-waiting',
    subject: 'A connector waits for the approval of its hosts',
    paragraphs: [
      `The connector ${connectorName} of ${companyName} is to call ${hosts.join(' and ')}.`,
      'It does not run before you have approved that. Read its description, and decide.',
    ],
    action: { label: 'Decide', url },
  }
}

const outcomes = {
  APPROVED: { subject: 'was approved', says: 'approved', next: 'It runs by its schedule from now on.' },
  REFUSED: {
    subject: 'was refused',
    says: 'refused',
    next: 'Nothing is sent there. Change the description, and save it, to ask again.',
  },
  WITHDRAWN: {
    subject: 'is no longer approved',
    says: 'withdrawn the approval of',
    next: 'The connector has stopped, and nothing is sent there. What it has moved stays.',
  },
} as const
export type HostDecision = keyof typeof outcomes

/** To the person who has requested the approval. */
export function hostsDecided(
  decision: HostDecision,
  { connectorName, hosts, url, reason }: Omit<HostEmailData, 'companyName'> & { readonly reason: string | null },
): EmailContent {
  const { subject, says, next } = outcomes[decision]
  return {
    template: 'hosts-decided',
    subject: `The source of ${connectorName} ${subject}`,
    paragraphs: [
      `The provider of Tributary has ${says} ${hosts.join(' and ')} for the connector ${connectorName}.`,
      ...(reason === null ? [] : [`Reason: ${reason}`]),
      next,
    ],
    action: { label: 'Open the connector', url },
  }
}

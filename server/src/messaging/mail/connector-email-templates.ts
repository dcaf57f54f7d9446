/** The mails about connectors: their incidents, and their sign-in at a source. */
import type { Letter } from './email-content.ts'

interface IncidentFacts {
  readonly connectorName: string
  readonly companyName: string
  /** What is wrong and what to do, in words. */
  readonly notice: string
  readonly url: string
}

/** Once for each time in which a connector needs somebody. */
export function incidentOpened({ connectorName, companyName, notice, url }: IncidentFacts): Letter {
  return {
    template: 'incident-opened',
    subject: `${connectorName} needs somebody`,
    paragraphs: [
      `The connector ${connectorName} of ${companyName} does not run as it should:`,
      notice,
      'The rows that are there stay as they are. We write again once it is well, and not before.',
    ],
    action: { label: 'Open the connector', url },
    footnote: 'An administrator chooses who is told, in the settings of the connector.',
  }
}

export function incidentClosed({ connectorName, companyName, notice, url }: IncidentFacts): Letter {
  return {
    template: 'incident-closed',
    subject: `${connectorName} is well again`,
    paragraphs: [`The connector ${connectorName} of ${companyName} has completed a run.`, `What was wrong: ${notice}`],
    action: { label: 'Open the connector', url },
    footnote: 'An administrator chooses who is told, in the settings of the connector.',
  }
}

/** Once for each time in which what was moved differs from the source's own report. */
export function tieOutDiffers({ connectorName, companyName, notice, url }: IncidentFacts): Letter {
  return {
    template: 'tie-out-differs',
    subject: `${connectorName} does not add up`,
    paragraphs: [
      `The rows that ${connectorName} of ${companyName} has moved differ from the source’s own report:`,
      notice,
      'We write again once they agree, and not before.',
    ],
    action: { label: 'See what differs', url },
    footnote: 'An administrator chooses who is told, in the settings of the connector.',
  }
}

export function tieOutAgrees({ connectorName, companyName, notice, url }: IncidentFacts): Letter {
  return {
    template: 'tie-out-agrees',
    subject: `${connectorName} adds up again`,
    paragraphs: [
      `The rows that ${connectorName} of ${companyName} has moved agree with the source’s own report.`,
      `What was wrong: ${notice}`,
    ],
    action: { label: 'Open the connector', url },
    footnote: 'An administrator chooses who is told, in the settings of the connector.',
  }
}

interface GrantFacts {
  /** As people call the source: `Xero`. */
  readonly title: string
  readonly companyName: string
  readonly connectorNames: readonly string[]
  readonly url: string
}

/** A source takes the sign-in of these connectors no more. */
export function authorisationEnded({ title, companyName, connectorNames, url }: GrantFacts): Letter {
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
}: GrantFacts & { readonly days: number }): Letter {
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

/** Emails about incidents of connectors and about differences from the source. */
import type { EmailContent } from '../../kernel/mail/email-content.ts'

interface IncidentEmailData {
  readonly connectorName: string
  readonly companyName: string
  /** What is wrong and what to do, in words. */
  readonly notice: string
  readonly url: string
}

/** Once for each time in which a connector needs somebody. */
export function incidentOpened({ connectorName, companyName, notice, url }: IncidentEmailData): EmailContent {
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

export function incidentClosed({ connectorName, companyName, notice, url }: IncidentEmailData): EmailContent {
  return {
    template: 'incident-closed',
    subject: `${connectorName} is well again`,
    paragraphs: [`The connector ${connectorName} of ${companyName} has completed a run.`, `What was wrong: ${notice}`],
    action: { label: 'Open the connector', url },
    footnote: 'An administrator chooses who is told, in the settings of the connector.',
  }
}

/** Once for each time in which what was moved differs from the source's own report. */
export function tieOutDiffers({ connectorName, companyName, notice, url }: IncidentEmailData): EmailContent {
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

export function tieOutAgrees({ connectorName, companyName, notice, url }: IncidentEmailData): EmailContent {
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
